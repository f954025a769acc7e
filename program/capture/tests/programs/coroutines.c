// Coroutines as Go schedules them, for x86-64: one that waits leaves its stack for a scheduler that begins anew each
// time, and the scheduler jumps to where the next one waits.
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6, TURNS = 3, LIVES = 300, STACK = 16384 };

struct place {
    void *stack, *code;
};

static struct place places[COUNT], start, finished;
static int current = -1, living = COUNT, begun;
static long sum;
static char stacks[COUNT + 1][STACK] __attribute__((aligned(16)));

void leave_for(struct place *here, void *stack, void (*function)(void));
void go_to(struct place *there);
__asm__(".text\n"
        ".type leave_for, @function\n"
        "leave_for: pop %rax\n push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
        " mov %rsp, (%rdi)\n mov %rax, 8(%rdi)\n mov %rsi, %rsp\n call *%rdx\n ud2\n"
        ".size leave_for, .-leave_for\n"
        ".type go_to, @function\n"
        "go_to: mov 8(%rdi), %rax\n mov (%rdi), %rsp\n pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
        " jmp *%rax\n"
        ".size go_to, .-go_to\n");

__attribute__((noinline)) static void execute(struct place *there) { go_to(there); }

__attribute__((noinline)) static void schedule(void)
{
    if (living == 0)
        execute(&start);
    do
        current = (current + 1) % COUNT;
    while (!places[current].code);
    execute(&places[current]);
}

__attribute__((noinline)) static void wait_here(struct place *here) { leave_for(here, stacks[COUNT] + STACK, schedule); }

// Ends the coroutine; another one begins in its place.
__attribute__((noinline)) static void finish(void (*worker)(void))
{
    places[current] = (struct place){stacks[current] + STACK - 8 - 6 * 8, worker};
    if (begun++ >= LIVES) {
        places[current].code = 0;
        living--;
    }
    leave_for(&finished, stacks[COUNT] + STACK, schedule);
}

__attribute__((noinline)) static void work(int turn)
{
    for (int i = 0; i < 20; i++)
        sum += i * turn % 3;
}

#define WORKER(name)                                                                                                   \
    __attribute__((noinline)) static void turn_of_##name(int turn)                                                     \
    {                                                                                                                  \
        work(turn);                                                                                                    \
        wait_here(&places[current]);                                                                                   \
        sum++;                                                                                                         \
    }                                                                                                                  \
    __attribute__((noinline)) static void name(void)                                                                   \
    {                                                                                                                  \
        for (int turn = 0; turn < TURNS; turn++)                                                                       \
            turn_of_##name(turn);                                                                                      \
        finish(name);                                                                                                  \
    }
WORKER(first)
WORKER(second)
WORKER(third)
WORKER(fourth)
WORKER(fifth)
WORKER(sixth)

int main(void)
{
    void (*workers[COUNT])(void) = {first, second, third, fourth, fifth, sixth};
    for (int i = 0; i < COUNT; i++) {
        // go_to pops six registers, and a function begins with its stack 8 bytes off a multiple of 16.
        places[i].stack = stacks[i] + STACK - 8 - 6 * 8;
        places[i].code = workers[i];
    }
    wait_here(&start);
    printf("%ld\n", sum);
    return 0;
}
