// A program in user mode, of which there are two: with PROGRAM 1 it sorts, with 2 it counts nodes of trees.

#ifndef ROUNDS
#define ROUNDS 40
#endif

asm(".text\n .global _start\n_start:\n call work\n li a7, 0\n ecall\n");

static long call(long value) {
    register long a0 asm("a0") = value, a7 asm("a7") = 1;
    asm volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
    return a0;
}

static unsigned seed;

// In a page of its own.
#define FAR __attribute__((noinline, aligned(4096)))

static unsigned next(void) { return seed = seed * 1103515245 + 12345, seed >> 16; }

#if PROGRAM == 1
static unsigned numbers[64];

static int larger(unsigned a, unsigned b) { return a > b; }

static int less(unsigned a, unsigned b) { return a < b; }

static FAR void sort(int (*order)(unsigned, unsigned)) {
    for (int i = 1; i < 64; i++)
        for (int j = i; j > 0 && order(numbers[j - 1], numbers[j]); j--) {
            unsigned kept = numbers[j];
            numbers[j] = numbers[j - 1];
            numbers[j - 1] = kept;
        }
}

static void round(int number) {
    for (int i = 0; i < 64; i++) numbers[i] = next();
    sort(number & 1 ? larger : less);
}
#else
static FAR int nodes(int depth) {
    if (depth == 0 || (next() & 7) == 0) return 1;
    return nodes(depth - 1) + nodes(depth - 1);
}

static void round(int number) { nodes(5 + number % 4); }
#endif

void work(void) {
    for (int number = 0; number < ROUNDS; number++) {
        round(number);
        if (call(number) != number + 1) asm volatile("unimp");
        if (number % 16 == 3) asm volatile("csrr t0, mhartid" ::: "t0");
    }
}
