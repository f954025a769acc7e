/* Traps, levels and calls of a program with tohost, in 64 bits: what Spike 1.1.1 has logged of it is traps.log.zst. */
typedef unsigned long long u64;
volatile u64 tohost __attribute__((section(".tohost"), aligned(64)));
volatile u64 fromhost __attribute__((section(".tohost"), aligned(64)));
static volatile u64 causes[16];
static u64 words[40];
extern char handler[];

/* Where the handler goes on: after the instruction, and in the machine level after a call from the user's. */
u64 trap(u64 cause, u64 at)
{
    causes[cause & 15]++;
    u64 length = (*(unsigned short *)at & 3) == 3 ? 4 : 2;
    if (cause == 8)
        __asm__ volatile("csrs mstatus, %0" ::"r"(3 << 11));
    return at + length;
}

__asm__(".align 2\n"
        "handler:\n"
        "  csrw mscratch, sp\n"
        "  addi sp, sp, -256\n"
        ".irp n,1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31\n"
        "  sd x\\n, 8*\\n(sp)\n"
        ".endr\n"
        "  csrr a0, mcause\n"
        "  csrr a1, mepc\n"
        "  call trap\n"
        "  csrw mepc, a0\n"
        ".irp n,1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31\n"
        "  ld x\\n, 8*\\n(sp)\n"
        ".endr\n"
        "  csrr sp, mscratch\n"
        "  mret\n");

static u64 fibonacci(u64 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static u64 twice(u64 n) { return 2 * n; }
static u64 square(u64 n) { return n * n; }
static u64 (*const functions[])(u64) = {twice, square, fibonacci};

static void sort(void)
{
    for (int end = 39; end > 0; end--)
        for (int at = 0; at < end; at++)
            if (words[at] > words[at + 1]) {
                u64 other = words[at];
                words[at] = words[at + 1];
                words[at + 1] = other;
            }
}

void body(void)
{
    u64 state = 1, sum = 0;
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    __asm__ volatile("csrw pmpaddr0, %0\n\tcsrw pmpcfg0, %1" ::"r"(-1l), "r"(31));
    for (int at = 0; at < 40; at++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        words[at] = state >> 40;
        sum += functions[words[at] % 3](at % 9);
        switch (words[at] / 3 % 5) {
        case 0: __asm__ volatile("ecall"); break;
        case 1: __asm__ volatile("ebreak"); break;
        case 2: __asm__ volatile(".word 0xffffffff"); break;
        case 3: __asm__ volatile("lw t0, (zero)" ::: "t0"); break;
        case 4: __asm__ volatile("la t0, 1f\n\tcsrw mepc, t0\n\tli t0, 3 << 11\n\tcsrc mstatus, t0\n\tmret\n1:\tnop\n\tecall" ::: "t0"); break;
        }
    }
    sort();
    for (int at = 1; at < 40; at++)
        if (words[at - 1] > words[at]) sum = 0;
    tohost = sum % 64 << 1 | 1;
    for (;;)
        ;
}

__attribute__((naked, section(".text.startup"))) void start(void)
{
    __asm__("li sp, 0x80100000\n\tj body");
}
