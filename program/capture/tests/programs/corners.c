// What a capture must get right, each a few times: calls through pointers, computed gotos, long jumps,
// string functions, predicated code, system calls, signals that a program sends itself and faults.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int signals, faults;
static sigjmp_buf back;
static char *volatile page;

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int descending(const void *a, const void *b) { return ascending(b, a); }

static unsigned sort(void)
{
    static int numbers[200];
    int (*const orders[])(const void *, const void *) = {ascending, descending};
    unsigned seed = 1, sum = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 200; i++)
            numbers[i] = (seed = seed * 1664525 + 1013904223) >> 4;
        qsort(numbers, 200, sizeof *numbers, orders[round % 2]);
        sum = sum * 31 + numbers[round];
    }
    return sum;
}

static unsigned interpret(const char *program)
{
    static const void *const operations[] = {&&add, &&shift, &&negate, &&stop};
    unsigned value = 1;
#define NEXT goto *operations[*program++ - '0']
    NEXT;
add:
    value += 7;
    NEXT;
shift:
    value = value << 3 | value >> 29;
    NEXT;
negate:
    value = ~value;
    NEXT;
stop:
    return value;
}

static unsigned text(void)
{
    static char buffer[3000], copy[3000];
    unsigned sum = 0;
    for (int length = 1; length < 2900; length = length * 3 + 5) {
        memset(buffer, 'a' + length % 20, length);
        buffer[length] = 0;
        strcpy(copy, buffer);
        copy[length / 2] = 'z';
        sum += strlen(copy) + (strchr(copy, 'z') - copy) + (strcmp(copy, buffer) > 0);
        sum += memcmp(copy, buffer, length / 2);
    }
#ifdef __x86_64__
    char *from = buffer, *to = copy;
    size_t count = 777;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    count = 1000;
    to = copy;
    __asm__ volatile("repne scasb" : "+D"(to), "+c"(count) : "a"('z') : "memory", "cc");
    count = 0;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(0) : "memory");
    sum += to - copy;
#endif
    return sum;
}

static int collatz(unsigned value)
{
    int steps = 0;
    for (; value != 1; steps++)
        value = value & 1 ? 3 * value + 1 : value / 2;
    return steps;
}

static void count_signal(int signal) { signals += signal != 0; }

static void give_page(int signal, siginfo_t *information, void *context)
{
    faults++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void leave(int signal) { siglongjmp(back, 1); }

static void take_signals(void)
{
    signal(SIGUSR1, count_signal);
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);

    // Two at once, when both may come in.
    signal(SIGUSR2, count_signal);
    sigset_t both, before;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    sigprocmask(SIG_BLOCK, &both, &before);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigprocmask(SIG_SETMASK, &before, 0);

    // A store that is tried again after the handler.
    struct sigaction action = {0};
    action.sa_sigaction = give_page;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, 0);
    page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile int x = 1;
    x += 2;
    page[5] = x;
    x += page[5];

    // One that is not.
    signal(SIGSEGV, leave);
    if (!sigsetjmp(back, 1)) {
        x += 3;
        *(volatile char *)8 = x;
    }
    signals += x;
}

static jmp_buf out;

static void descend(int depth)
{
    if (depth == 0)
        longjmp(out, 5);
    descend(depth - 1);
    signals++;
}

int main(int count, char **words)
{
    unsigned sum = sort() + interpret("0120012201020103") + text();
    for (unsigned i = 1; i < 40; i++)
        sum += collatz(i);
    sum += setjmp(out) ? 9 : (descend(12), 0);
    take_signals();
    printf("%08x %d %d\n", sum, signals, faults);
    fflush(stdout);
    if (count > 1 && strcmp(words[1], "die") == 0)
        kill(getpid(), SIGKILL);
    return count > 1 ? 3 : 0;
}
