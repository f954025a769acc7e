// 31 threads at a time, of which only some can be traced.
#include <pthread.h>
#include <stdio.h>

enum { COUNT = 31 };

static pthread_barrier_t barrier;
static unsigned sums[COUNT];

static void *work(void *argument)
{
    unsigned number = (unsigned)(long)argument, value = number;
    for (int i = 0; i < 2000; i++) {
        value = value & 1 ? value * 3 + 1 : value / 2 + i;
        if (i % 1000 == 0)
            pthread_barrier_wait(&barrier);
    }
    sums[number] = value;
    return 0;
}

int main(void)
{
    pthread_t threads[COUNT];
    unsigned sum = 0;
    pthread_barrier_init(&barrier, 0, COUNT);
    for (long i = 0; i < COUNT; i++)
        pthread_create(threads + i, 0, work, (void *)i);
    for (int i = 0; i < COUNT; i++) {
        pthread_join(threads[i], 0);
        sum += sums[i];
    }
    printf("%u\n", sum);
    return 0;
}
