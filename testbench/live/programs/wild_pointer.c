/* A program with a fault: the copy of a name does not look at its size. One name of many is too long and is written over
 * the pointer after it, and the next walk through the list loads from an address that does not exist. */
#include "../../../workloads/programs/board.h"

#define ENTRIES 24
#define ROUNDS 384

/* The load that fails traps to `handler`, which ends the run. */
__asm__(".globl _start\n"
        "_start: la sp, 0x90000\n"
        "    la t0, handlers\n"
        "    csrw mtvec, t0\n"
        "    j program\n"
        ".balign 256\n"
        "handlers: .option push\n"
        "    .option norvc\n"
        "    j handler\n"
        ".option pop\n");

struct entry {
    char name[8];
    struct entry *next;
    unsigned value;
};

static struct entry entries[ENTRIES];

void handler(void)
{
    BOARD_EXIT = 2;
    for (;;)
        ;
}

static unsigned random_number(void)
{
    static unsigned state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__attribute__((noinline)) static void copy_name(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static const char *const letters[ENTRIES] = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
};

__attribute__((noinline)) static unsigned sum(const struct entry *entry)
{
    unsigned total = 0;
    for (; entry; entry = entry->next)
        if (entry->value & 1)
            total += entry->value;
        else
            total ^= entry->value;
    return total;
}

/* Sorts the list by value, by moving each entry to its place. */
__attribute__((noinline)) static struct entry *sorted(struct entry *list)
{
    struct entry *first = 0;
    while (list) {
        struct entry *entry = list, **place = &first;
        list = list->next;
        while (*place && (*place)->value < entry->value)
            place = &(*place)->next;
        entry->next = *place;
        *place = entry;
    }
    return first;
}

int program(void)
{
    struct entry *list = 0;
    unsigned total = 0;
    for (unsigned number = 0; number < ENTRIES; number++) {
        entries[number].next = list;
        list = &entries[number];
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (struct entry *entry = list; entry; entry = entry->next)
            entry->value = random_number() >> 8;
        list = sorted(list);
        total += sum(list);
        unsigned letter = round % ENTRIES;
        copy_name(entries[letter].name, round + 4 < ROUNDS ? letters[letter] : "the last letter");
    }
    BOARD_EXIT = total == 0;
    for (;;)
        ;
}
