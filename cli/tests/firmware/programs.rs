//! The programs, and how they are built.

use std::process::Command;

use crate::common::Folder;

/// What a C library with semihosting needs at the addresses of QEMU's machine virt.
pub const PICOLIBC: &str = "--specs=picolibc.specs --oslib=semihost --crt0=semihost -mcmodel=medany -Os \
    -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x100000 \
    -Wl,--defsym=__ram=0x80200000 -Wl,--defsym=__ram_size=0x100000";

/// Builds `prog.elf`.
pub fn built(folder: &Folder, name: &str, text: &str, options: &str) {
    folder.write(name, text);
    let done = Command::new("riscv64-unknown-elf-gcc")
        .args(options.split_whitespace())
        .args(["-g", "-o", "prog.elf", name])
        .current_dir(folder.path("."))
        .output()
        .expect("gcc-riscv64-unknown-elf is needed");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// As the tests of RISC-V are laid out, without permissions of segments.
pub const LAYOUT: &str = "
ENTRY(start)
PHDRS { all PT_LOAD FLAGS(0); }
SECTIONS {
  . = 0x80000000;
  .text.start : { *(.text.start) } :all
  .tohost ALIGN(64) : { *(.tohost) } :all
  .text : { *(.text*) } :all
  .data : { *(.*data*) *(.bss*) } :all
  end = .;
}
";

/// A square root, printed by a call of the host, and a status.
pub const TOHOST: &str = r#"
typedef unsigned long long u64;
volatile u64 tohost __attribute__((section(".tohost"), aligned(64)));
volatile u64 fromhost __attribute__((section(".tohost"), aligned(64)));
static volatile u64 call[8] __attribute__((aligned(64)));

static void print(const char *text, u64 length)
{
    call[0] = 64;
    call[1] = 1;
    call[2] = (unsigned long)text;
    call[3] = length;
    tohost = (unsigned long)call;
    while (!fromhost)
        ;
    fromhost = 0;
}

static double root(double number)
{
    double guess = number;
    for (int i = 0; i < 20; i++)
        guess = (guess + number / guess) / 2;
    return guess;
}

void body(void)
{
    static char text[] = "root       0\n";
    unsigned number = (unsigned)(root(2) * 1000000);
    for (int place = 11; place > 4; place--, number /= 10)
        text[place] = number ? '0' + number % 10 : ' ';
    print(text, sizeof text - 1);
    tohost = 3 << 1 | 1;
    for (;;)
        ;
}

__attribute__((naked, section(".text.start"))) void start(void)
{
    __asm__("li t0, 0x6000\n\tcsrs mstatus, t0\n\tla sp, end + 4096\n\tandi sp, sp, -16\n\tj body");
}
"#;

/// A software interrupt and two of the timer through vectors, of which each prints a letter.
pub const INTERRUPTS: &str = "
.globl start
start:
    la t0, vectors + 1
    csrw mtvec, t0
    li s0, 0x2000000
    li s1, 0x10000000
    li s2, 0
    lbu t0, 5(s1)
    andi t0, t0, 1
    beqz t0, finish
    li t0, 0x88
    csrw mie, t0
    csrsi mstatus, 8
    li t0, 1
    sw t0, 0(s0)
    call arm
wait:
    wfi
    li t0, 3
    blt s2, t0, wait
    li t0, '.'
    sb t0, 0(s1)
    li t0, '\\n'
    sb t0, 0(s1)
finish:
    li t0, 0x53333
    li t1, 0x100000
    sw t0, 0(t1)
    j finish
arm:
    li t1, 0x200bff8
    ld t0, 0(t1)
    addi t0, t0, 100
    li t1, 0x2004000
    sd t0, 0(t1)
    ret
.option norvc
.align 8
vectors:
    j finish
    j finish
    j finish
    j software
    j finish
    j finish
    j finish
    j timer
software:
    sw zero, 0(s0)
    li t0, 's'
    sb t0, 0(s1)
    addi s2, s2, 1
    mret
timer:
    li t0, 't'
    sb t0, 0(s1)
    addi s2, s2, 1
    mv s3, ra
    call arm
    mv ra, s3
    mret
";

/// Files by their names in the command line.
pub const FILES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    char text[32] = "";
    FILE *in = fopen(arguments[1], "r");
    if (!in)
        return 3;
    fseek(in, 0, SEEK_END);
    long length = ftell(in);
    fseek(in, 8, SEEK_SET);
    fgets(text, sizeof text, in);
    fclose(in);
    printf("%ld bytes, %s\n", length, text);
    FILE *out = fopen(arguments[2], "w");
    if (!out)
        return 4;
    fprintf(out, "copied: %s", text);
    fclose(out);
    printf("removed %d, ", remove(arguments[1]));
    printf("outside %d\n", fopen("../outside.txt", "r") ? 0 : -1);
    clock_t before = clock();
    for (volatile int i = 0; i < 400000; i++)
        ;
    printf("clock %s\n", clock() > before && time(0) > 1000000000 ? "goes" : "stands");
    return 0;
}
"#;

/// Waits for a bit of a register.
pub const POLLS: &str = "
.globl start
.type start, @function
start:
    li a0, 0x40000000
    j wait_for_line
.globl wait_for_line
.type wait_for_line, @function
wait_for_line:
    lw a1, 4(a0)
    andi a1, a1, 1
    beqz a1, wait_for_line
.globl done
.type done, @function
done:
    j done
";

/// Its board.
pub const MINE: &str = "
name = \"mine\"
memory = [{ address = 0x20000000, bytes = 0x10000 }]

[[devices]]
kind = \"registers\"
address = 0x40000000
bytes = 0x100
ones = { 0x08 = 1 }
";
