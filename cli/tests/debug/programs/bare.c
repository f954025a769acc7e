/* The scenes without an operating system, and an interrupt. */

#include "board.h"

int scenes(void);
extern volatile int sink;

#define WRITE_CSR(name, value) \
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrw " name ", %0\n.option pop" : : "r"(value) : "memory")

void tick(int number) {
    sink = number;
}

__attribute__((interrupt("machine"), aligned(4))) void handler(void) {
    BOARD_TIMER = 0;
    tick(6);
}

void raises(void) {
    WRITE_CSR("mtvec", (unsigned long)handler);
    WRITE_CSR("mie", 1 << 7);
    BOARD_TIMER = 20;
    WRITE_CSR("mstatus", 1 << 3);
    for (volatile int i = 0; i < 20; i++)
        sink = 3;
}

int program(void) {
    int total = scenes();
    raises();
    return total & 0;
}
