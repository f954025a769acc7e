/* The scenes, and those that need an operating system. */

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

int scenes(void);
extern volatile int sink;

void caught(int number) {
    sink = number;
}

void raises(void) {
    signal(SIGUSR1, caught);
    raise(SIGUSR1);
    sink = 3;
}

static pthread_barrier_t barrier;

int works(int number) {
    sink = number;
    return number;
}

void *thread(void *unused) {
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    works(1);
    pthread_barrier_wait(&barrier);
    return unused;
}

void threads(void) {
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&other, 0, thread, 0);
    pthread_barrier_wait(&barrier);
    works(0);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_join(other, 0);
}

__attribute__((aligned(16))) int one(void) {
    return 1;
}

__attribute__((aligned(16))) int two(void) {
    return 2;
}

typedef int function(void);

/* Copies a function to the same place twice. */
int changes(void) {
    unsigned char *code =
        mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned long from[] = { (unsigned long)one, (unsigned long)two };
    int total = 0;
    for (int i = 0; i < 2; i++) {
        memcpy(code, (void *)(from[i] & ~1ul), 40);
        __builtin___clear_cache((char *)code, (char *)code + 40);
        function *copied = (function *)(code + (from[i] & 1));
        total += copied();
    }
    return total;
}

int main(void) {
    int total = scenes();
    raises();
    threads();
    total += changes();
    return total & 0;
}
