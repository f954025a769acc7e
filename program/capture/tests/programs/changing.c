// Code that is written while it runs: in memory of its own, over code of the program, and right ahead of itself.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int (*function)(void);

// Writes a function that returns a number from 0 to 99, and gives its length.
static int write_function(unsigned char *at, int number)
{
#if defined(__x86_64__)
    unsigned char code[] = {0xb8, number, 0, 0, 0, 0xc3};
#elif defined(__riscv)
    unsigned code[] = {0x00000513 | (unsigned)number << 20, 0x00008067};
#elif defined(__aarch64__)
    unsigned code[] = {0x52800000 | number << 5, 0xd65f03c0};
#elif defined(__thumb__)
    unsigned short code[] = {0x2000 | number, 0x4770};
#else
    unsigned code[] = {0xe3a00000 | number, 0xe12fff1e};
#endif
    memcpy(at, code, sizeof code);
    __builtin___clear_cache((char *)at, (char *)at + sizeof code);
    return sizeof code;
}

static function function_at(unsigned char *at)
{
#if defined(__thumb__)
    return (function)(at + 1);
#else
    return (function)at;
#endif
}

__attribute__((noinline, aligned(64))) static int replaced(void)
{
    __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
    return 100;
}

#if defined(__x86_64__)
// Changes the next instruction: movb $NUMBER, 1(%rip); movl $0, %eax; ret
static int ahead(unsigned char *at, int number)
{
    unsigned char code[] = {0xc6, 5, 1, 0, 0, 0, number, 0xb8, 0, 0, 0, 0, 0xc3};
    memcpy(at, code, sizeof code);
    return function_at(at)();
}
#endif

int main(void)
{
    long size = sysconf(_SC_PAGESIZE);
    unsigned char *page = mmap(0, 2 * size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    int sum = 0, places = 0;
    for (int i = 0; i < 40; i++) {
        // The same four functions again and again at one place, and a new one at another.
        write_function(page, i % 4);
        sum += function_at(page)();
        places += write_function(page + size - 32 + 8 * (i % 8), i);
        sum += function_at(page + size - 32 + 8 * (i % 8))();
        sum += function_at(page)();
    }
#if defined(__x86_64__)
    for (int i = 0; i < 5; i++)
        sum += ahead(page + 64, i) - i;
#endif
    unsigned long target = (unsigned long)replaced & ~1ul;
    if (mprotect((void *)(target & ~(size - 1)), 2 * size, PROT_READ | PROT_WRITE | PROT_EXEC))
        return 2;
    for (int i = 0; i < 3; i++) {
        sum += replaced();
        write_function((unsigned char *)target, i);
    }
    sum += replaced();
    printf("%d\n", sum);
    return 0;
}
