// Three threads at a time, twice, that share a lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned shared;

static void *work(void *argument)
{
    unsigned value = (unsigned)(long)argument;
    for (int i = 0; i < 3000; i++) {
        value = value & 1 ? value * 3 + 1 : value / 2 + i;
        if (i % 500 == 0) {
            pthread_mutex_lock(&lock);
            shared += value;
            pthread_mutex_unlock(&lock);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    for (int round = 0; round < 2; round++) {
        for (long i = 0; i < 3; i++)
            pthread_create(threads + i, 0, work, (void *)(i + 7));
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], 0);
    }
    printf("%s\n", shared ? "done" : "");
    return 0;
}
