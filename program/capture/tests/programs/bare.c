// For 32-bit RISC-V, for which Debian has no C library: a loop, a fault, its handler.
static long call(long number, long first, long second, long third, long fourth)
{
    register long a0 __asm__("a0") = first, a1 __asm__("a1") = second, a2 __asm__("a2") = third,
                  a3 __asm__("a3") = fourth, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
    return a0;
}

static void leave(int signal) { call(93, signal, 0, 0, 0); }

void _start(void)
{
    struct {
        void (*handler)(int);
        unsigned long flags, mask[2];
    } action = {leave, 0, {0, 0}};
    call(134, 11, (long)&action, 0, 8);
    int sum = 0;
    for (volatile int i = 0; i < 5; i++)
        sum += i;
    *(volatile int *)8 = sum;
    call(93, 0, 0, 0, 0);
}
