/* A variable in the line of tohost, and a return from a trap. */
volatile unsigned long long tohost __attribute__((section(".tohost"), aligned(64)));
volatile unsigned long long fromhost __attribute__((section(".tohost"), aligned(64)));
volatile int beside __attribute__((section(".tohost")));
extern char handler[];

__asm__(".align 2\n"
        "handler:\n"
        "  csrr t0, mepc\n"
        "  addi t0, t0, 4\n"
        "  csrw mepc, t0\n"
        "leave:\n"
        "  mret\n");

void ended(void) { tohost = 1; }

void body(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    for (int i = 0; i < 50; i++)
        beside++;
    __asm__ volatile("ecall\nresumed: nop" ::: "t0");
    ended();
    for (;;)
        ;
}

__attribute__((naked, section(".text.startup"))) void _start(void)
{
    __asm__("la sp, 0x80100000\n\tj body");
}
