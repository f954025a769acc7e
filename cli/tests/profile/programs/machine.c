/* A machine for small programs: an interpreter with calls through a table of functions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK = 64, STEPS = 200000 };
enum { PUSH, ADD, SUBTRACT, DUPLICATE, SWAP, JUMP_IF, DROP, OVER, HALT };

struct machine {
    int64_t stack[STACK];
    unsigned top, at;
    int is_done;
};

static void overflow(const struct machine *machine) {
    fprintf(stderr, "the stack is full or empty at %u\n", machine->at);
    exit(1);
}

static void push(struct machine *machine, int64_t value) {
    if (machine->top == STACK) overflow(machine);
    machine->stack[machine->top++] = value;
}

static int64_t pop(struct machine *machine) {
    if (machine->top == 0) overflow(machine);
    return machine->stack[--machine->top];
}

typedef void operation(struct machine *, int64_t);

static void do_push(struct machine *machine, int64_t value) { push(machine, value); }

static void do_add(struct machine *machine, int64_t value) {
    (void)value;
    int64_t right = pop(machine);
    push(machine, pop(machine) + right);
}

static void do_subtract(struct machine *machine, int64_t value) {
    (void)value;
    int64_t right = pop(machine);
    push(machine, pop(machine) - right);
}

static void do_duplicate(struct machine *machine, int64_t value) {
    (void)value;
    int64_t top = pop(machine);
    push(machine, top);
    push(machine, top);
}

static void do_swap(struct machine *machine, int64_t value) {
    (void)value;
    int64_t right = pop(machine), left = pop(machine);
    push(machine, right);
    push(machine, left);
}

static void do_jump_if(struct machine *machine, int64_t value) {
    if (pop(machine)) machine->at = (unsigned)value;
}

static void do_drop(struct machine *machine, int64_t value) {
    (void)value;
    pop(machine);
}

static void do_over(struct machine *machine, int64_t value) {
    (void)value;
    if (machine->top < 2) overflow(machine);
    push(machine, machine->stack[machine->top - 2]);
}

static void do_halt(struct machine *machine, int64_t value) {
    (void)value;
    machine->is_done = 1;
}

static operation *const operations[] = {do_push, do_add,  do_subtract, do_duplicate, do_swap,
                                        do_jump_if, do_drop, do_over,  do_halt};

/* Numbers of Fibonacci: below the counter are two of them. */
static const struct {
    unsigned operation;
    int64_t value;
} program[] = {
    {PUSH, 0}, {PUSH, 1}, {PUSH, 80},
    {SWAP, 0}, {DUPLICATE, 0}, {PUSH, 0}, {ADD, 0}, {SWAP, 0}, {DROP, 0}, {SWAP, 0},
    {PUSH, 1}, {SUBTRACT, 0}, {DUPLICATE, 0}, {JUMP_IF, 3}, {DROP, 0}, {OVER, 0}, {ADD, 0}, {HALT, 0},
};

int main(void) {
    int64_t sum = 0;
    static struct machine machine;
    for (int run = 0; run < 12; run++) {
        machine.top = machine.at = 0;
        machine.is_done = 0;
        for (unsigned step = 0; !machine.is_done; step++) {
            if (step == STEPS || machine.at >= sizeof program / sizeof *program) {
                fprintf(stderr, "the program does not end\n");
                return 1;
            }
            unsigned at = machine.at++;
            operations[program[at].operation](&machine, program[at].value);
        }
        sum += pop(&machine);
    }
    printf("%lld\n", (long long)sum);
    return 0;
}
