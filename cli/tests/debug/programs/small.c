/* A program of a few instructions. */

__attribute__((noreturn)) void _start(void) {
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
    __builtin_unreachable();
}
