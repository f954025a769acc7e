// Sorting through a comparison function, recursion, a jump table, some system calls.
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__attribute__((noinline)) static unsigned step(unsigned operation, unsigned value)
{
    switch (operation) {
    case 0: return value + 3;
    case 1: return value * 5;
    case 2: return value ^ 0x55;
    case 3: return value >> 1;
    case 4: return value - fibonacci(4);
    default: return ~value;
    }
}

int main(void)
{
    int numbers[100];
    unsigned value = 1;
    for (int i = 0; i < 100; i++)
        numbers[i] = (int)((value = step(value % 6, value) * 1664525 + 1013904223) >> 20);
    qsort(numbers, 100, sizeof *numbers, compare);
    for (int i = 0; i < 100; i += 20)
        printf("%d\n", numbers[i]);
    return fflush(stdout);
}
