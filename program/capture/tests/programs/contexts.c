// Coroutines by ucontext, which have a stack each.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { COUNT = 5, STACK = 65536 };

static ucontext_t main_context, contexts[COUNT];
static unsigned value = 7, living = COUNT;
static char ended[COUNT];

static void work(int number)
{
    for (int i = 0; i < 40 + 10 * number; i++) {
        value = value & 1 ? value * 3 + 1 : value / 2 + number;
        swapcontext(&contexts[number], &main_context);
    }
    ended[number] = 1;
    living--;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = malloc(STACK);
        contexts[i].uc_stack.ss_size = STACK;
        contexts[i].uc_link = &main_context;
        makecontext(&contexts[i], (void (*)(void))work, 1, i);
    }
    for (int i = 0; living; i = (i + 1) % COUNT)
        if (!ended[i])
            swapcontext(&main_context, &contexts[i]);
    printf("%u\n", value);
    return 0;
}
