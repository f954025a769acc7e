// Calls that end otherwise than by a return to where they came from: longjmp, a tail call, a thread's end.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;
static volatile int sink;

__attribute__((noinline)) void leaf(int n)
{
    sink += n;
    if (n == 3)
        longjmp(back, 1);
}
__attribute__((noinline)) void middle(int n)
{
    leaf(n);
    sink++;
}
__attribute__((noinline)) int last(int n) { return sink += n; }
__attribute__((noinline)) int tail(int n)
{
    sink -= n;
    return last(n);
}
__attribute__((noinline)) void after(void) { sink++; }
__attribute__((noinline)) void part(void)
{
    for (int i = 0; i < 100; i++)
        sink += i;
}
static void *work(void *argument)
{
    part();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (!setjmp(back))
        for (int i = 0;; i++)
            middle(i);
    after();
    tail(5);
    return 0;
}
