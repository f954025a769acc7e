// What AArch64 programs do that others do not, and what every capture must get right, without a C library: calls by
// tagged and by authenticated pointers, signed return addresses, landing pads, signals, faults, code that changes, threads.
typedef unsigned long word;
typedef unsigned int half;

#define NEVER_INLINED __attribute__((noinline))

static long call(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                  x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
    return x0;
}

enum { FUTEX = 98, EXIT = 93, EXIT_GROUP = 94, KILL = 129, GETPID = 172, SIGACTION = 134, CLONE = 220, MMAP = 222, MPROTECT = 226 };
enum { ILLEGAL = 4, TRAP = 5, USER1 = 10, FAULT = 11, USER2 = 12 };

static volatile long signals;
static volatile char *volatile page;

struct context {
    word before[176 / 8 + 1], registers[31], stack, place;
};

static void count(int signal) { signals += signal; }

static void give_page(int signal, void *information, struct context *context)
{
    signals += signal;
    call(MPROTECT, (long)page, 4096, 3, 0, 0, 0);
}

static void pass_over(int signal, void *information, struct context *context)
{
    signals += signal;
    context->place += 4;
}

static void handle(int signal, void *handler, word flags)
{
    struct { void *handler; word flags, restorer, mask; } action = {handler, flags, 0, 0};
    call(SIGACTION, signal, (long)&action, 0, 8, 0, 0);
}

static void raise(int signal) { call(KILL, call(GETPID, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0, 0); }

static long take_signals(void)
{
    enum { INFORMATION = 4 };
    handle(USER1, count, 0);
    handle(USER2, pass_over, INFORMATION);
    for (int i = 0; i < 3; i++)
        raise(USER1);
    // The handler passes over the instruction after the system call.
    handle(FAULT, give_page, INFORMATION);
    page = (char *)call(MMAP, 0, 4096, 1, 0x22, -1, 0);
    page[5] = 3;
    handle(FAULT, pass_over, INFORMATION);
    handle(ILLEGAL, pass_over, INFORMATION);
    handle(TRAP, pass_over, INFORMATION);
    *(volatile char *)8 = 1;
    __asm__ volatile("udf 7");
    __asm__ volatile("brk 7");
    return signals;
}

NEVER_INLINED static long thrice(long value) { return 3 * value; }
NEVER_INLINED static long twice(long value) { return value + value; }

// A tail call, by a register.
NEVER_INLINED static long either(long value)
{
    long (*const volatile functions[])(long) = {thrice, twice};
    return functions[value & 1](value);
}

NEVER_INLINED static long tagged(long value)
{
    long (*volatile function)(long) = (void *)((word)twice | 0xab00000000000000);
    return function(value) + 1;
}

// Signed with the key and a modifier, and with the key alone.
NEVER_INLINED static long authenticated(long value)
{
    register long x0 __asm__("x0") = value;
    register word x9 __asm__("x9") = (word)twice, x10 __asm__("x10") = 77;
    __asm__ volatile("pacia x9, x10\n blraa x9, x10" : "+r"(x0), "+r"(x9) : "r"(x10) : "x30", "memory", "cc");
    x9 = (word)thrice;
    __asm__ volatile("pacizb x9\n blrabz x9" : "+r"(x0), "+r"(x9) : : "x30", "memory", "cc");
    return x0;
}

NEVER_INLINED static long deep(long depth) { return depth ? deep(depth - 1) + thrice(depth) : either(5); }

NEVER_INLINED static long interpret(const char *program)
{
    static const void *const operations[] = {&&add, &&shift, &&negate, &&stop};
    half value = 1;
#define NEXT goto *operations[*program++ - '0']
    NEXT;
add:
    value += 7;
    NEXT;
shift:
    value = value << 3 | value >> 29;
    NEXT;
negate:
    value = ~value;
    NEXT;
stop:
    return value;
}

NEVER_INLINED static void synchronise(void *begin)
{
    __asm__ volatile("dc cvau, %0\n dsb ish\n ic ivau, %0\n dsb ish\n isb" : : "r"(begin) : "memory");
}

// movz w0, NUMBER; ret
static long made(void)
{
    half *code = (half *)call(MMAP, 0, 4096, 7, 0x22, -1, 0);
    long sum = 0;
    for (int i = 0; i < 12; i++) {
        half *at = code + 16 * (i % 3);
        at[0] = 0x52800000 | i << 5;
        at[1] = 0xd65f03c0;
        synchronise(at);
        sum += ((long (*)(void))at)();
    }
    return sum;
}

static volatile half lock, total, alive[3];

static void work(long number)
{
    for (int i = 0; i < 200; i++) {
        half one, status;
        __asm__ volatile("1: ldaxr %w0, [%2]\n cbnz %w0, 1b\n mov %w0, 1\n stxr %w1, %w0, [%2]\n cbnz %w1, 1b"
                         : "=&r"(one), "=&r"(status) : "r"(&lock) : "memory");
        total += number + (i & 1);
        __asm__ volatile("stlr wzr, [%0]" : : "r"(&lock) : "memory");
    }
    call(EXIT, 0, 0, 0, 0, 0, 0);
}

// The new thread takes its number from a register that is not changed.
__asm__(".type start_thread, %function\n"
        "start_thread: .cfi_startproc\n bti c\n mov x9, x1\n mov x10, x0\n mov x4, x2\n mov x1, x3\n mov x2, xzr\n mov x3, xzr\n"
        " mov x0, x9\n mov x8, 220\n svc 0\n cbz x0, 1f\n ret\n1: mov x29, xzr\n mov x30, xzr\n mov x0, x10\n b work_of_thread\n"
        ".cfi_endproc\n.size start_thread, . - start_thread\n");
long start_thread(long number, long flags, volatile half *cleared, char *stack);
void work_of_thread(long number) { work(number); }

static long threads(void)
{
    static char stacks[3][4096] __attribute__((aligned(16)));
    // CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, CHILD_CLEARTID
    for (long i = 0; i < 3; i++) {
        alive[i] = 1;
        start_thread(i, 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000 | 0x200000, alive + i, stacks[i] + 4096);
    }
    for (int i = 0; i < 3; i++)
        while (alive[i])
            call(FUTEX, (long)(alive + i), 0, 1, 0, 0, 0);
    return total;
}

// The number of arguments is on the stack.
__asm__(".global _start\n.type _start, %function\n"
        "_start: .cfi_startproc\n .cfi_undefined x30\n bti c\n mov x29, xzr\n mov x30, xzr\n ldr x0, [sp]\n b begin\n .cfi_endproc\n"
        ".size _start, . - _start\n");

NEVER_INLINED static long compute(void)
{
    long sum = tagged(4) + authenticated(5) + deep(9) + interpret("0120012201020103") + made();
    for (half i = 1; i < 20; i++)
        for (half value = i; value != 1; sum++)
            value = value & 1 ? 3 * value + 1 : value / 2;
    return sum + take_signals();
}

void begin(long count)
{
    long sum = compute();
    if (count > 1)
        sum += threads();
    call(EXIT_GROUP, sum & 0x7f, 0, 0, 0, 0, 0);
}
