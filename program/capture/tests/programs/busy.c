// Work for about 13 million instructions a round: sorting through a comparison function, a bitwise CRC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static unsigned seed = 1;
static unsigned next(void) { return seed = seed * 1664525 + 1013904223; }
int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    static int numbers[20000]; static unsigned char text[65536]; unsigned sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 20000; i++) numbers[i] = next() >> 3;
        qsort(numbers, 20000, sizeof *numbers, compare);
        for (int i = 0; i < 65536; i++) text[i] = next() >> 24;
        unsigned crc = ~0u;
        for (int i = 0; i < 65536; i++) { crc ^= text[i]; for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1; }
        sum ^= crc + numbers[round % 20000];
    }
    printf("%08x\n", sum);
    return 0;
}
