// A kernel in supervisor mode that runs two programs in user mode at the same addresses, each in its own page table and
// in turns of a timer. Pages of the programs are mapped when they are first used. Built by machine.rs, with the
// programs' code as files a.bin and b.bin.

typedef unsigned long word;

#if __riscv_xlen == 64
#define STORE "sd"
#define LOAD "ld"
#define BYTES "8"
#else
#define STORE "sw"
#define LOAD "lw"
#define BYTES "4"
#endif

#ifndef TURN
#define TURN 30 // Units of time, of 100 ns, of a turn.
#endif

asm(".section .rodata\n"
    ".balign 4096\n"
    "program_a: .incbin \"a.bin\"\n .balign 4096\n"
    "program_b: .incbin \"b.bin\"\n .balign 4096\n"
    ".text\n"
    ".global _start\n"
    "_start:\n"
    "  la sp, stack_end\n"
    "  tail begin\n"
    ".balign 4\n"
    "handler:\n"
    "  csrrw x31, sscratch, x31\n"
    ".irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30\n"
    "  " STORE " x\\n, " BYTES "*\\n(x31)\n"
    ".endr\n"
    "  csrr t0, sscratch\n"
    "  " STORE " t0, " BYTES "*31(x31)\n"
    "  la sp, stack_end\n"
    "  call trap\n"
    "resume:\n"
    "  mv x31, a0\n"
    "  csrw sscratch, x31\n"
    ".irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
    "  " LOAD " x\\n, " BYTES "*\\n(x31)\n"
    ".endr\n"
    "  sret\n");

extern char program_a[], program_b[], handler[];

struct process {
    word registers[32];
    word place, ended, *table;
    char *code;
};

char stack[8192] __attribute__((aligned(16)));
asm(".set stack_end, stack + 8192");
static struct process processes[2], *current = processes;
static word pages = 0x80400000;

void resume(struct process *) __attribute__((noreturn));

#define READ(name) ({ word value; asm volatile("csrr %0, " #name : "=r"(value)); value; })
#define WRITE(name, value) asm volatile("csrw " #name ", %0" ::"r"((word)(value)) : "memory")

static word firmware(word extension, word function, word argument) {
    register word a0 asm("a0") = argument, a1 asm("a1") = 0, a6 asm("a6") = function, a7 asm("a7") = extension;
    asm volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a6), "r"(a7) : "memory");
    return a0;
}

static word *page(void) {
    word *fresh = (word *)pages;
    pages += 4096;
    return fresh;
}

static word *entry(word *table, word number) {
    if (!table[number]) table[number] = (word)page() >> 12 << 10 | 1;
    return (word *)(table[number] >> 10 << 12);
}

#if __riscv_xlen == 64
#define ENTRIES 512
#define ADDRESS_SPACE(number, table) (8ul << 60 | (word)(number) << 44 | (word)(table) >> 12)

static word *lowest_table(word *table, word address) {
    return entry(entry(table, address >> 30 & 511), address >> 21 & 511);
}

static void map_kernel(word *table) { table[2] = 0x80000000ul >> 12 << 10 | 0xef; }
#else
#define ENTRIES 1024
#define ADDRESS_SPACE(number, table) (1ul << 31 | (word)(number) << 22 | (word)(table) >> 12)

static word *lowest_table(word *table, word address) { return entry(table, address >> 22); }

static void map_kernel(word *table) {
    for (word at = 0x80000000; at < 0x80800000; at += 0x400000) table[at >> 22] = at >> 12 << 10 | 0xef;
}
#endif

static void map(struct process *process, word address) {
    word *lowest = lowest_table(process->table, address);
    char *to = (char *)page();
    if (address < 0x20000)
        for (int at = 0; at < 4096; at++) to[at] = process->code[(address & 0xf000) + at];
    lowest[address >> 12 & ENTRIES - 1] = (word)to >> 12 << 10 | 0xdf;
    asm volatile("sfence.vma" ::: "memory");
}

static void turn(void) {
    struct process *other = &processes[current == processes];
    if (!other->ended) current = other;
    else if (current->ended) firmware(8, 0, 0);
    WRITE(satp, ADDRESS_SPACE(current - processes + 1, current->table));
    asm volatile("sfence.vma" ::: "memory");
    firmware(0x54494d45, 0, READ(time) + TURN);
}

struct process *trap(void) {
    word cause = READ(scause);
    current->place = READ(sepc);
    if (cause >> (__riscv_xlen - 1)) {
        turn();
    } else if (cause == 8 && current->registers[17] == 0) {
        current->ended = 1;
        turn();
    } else if (cause == 8) {
        current->place += 4;
        current->registers[10]++;
    } else if (cause == 2) {
        current->place += 4;
    } else {
        map(current, READ(stval));
    }
    WRITE(sepc, current->place);
    return current;
}

void begin(void) {
    WRITE(stvec, handler);
    WRITE(sie, 0x20);
    firmware(0x54494d45, 0, READ(time) + TURN);
    asm volatile("wfi");
    for (int number = 0; number < 2; number++) {
        struct process *process = &processes[number];
        process->table = page();
        map_kernel(process->table);
        process->code = number ? program_b : program_a;
        process->place = 0x10000;
        process->registers[2] = 0x40000;
    }
    turn();
    WRITE(sstatus, READ(sstatus) & ~0x100ul);
    WRITE(sepc, current->place);
    resume(current);
}
