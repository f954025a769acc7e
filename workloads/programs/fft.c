/* A fixed-point fast Fourier transform of 1,024 points, there and back. */
#include "board.h"

#define LOG_POINTS 10
#define POINTS (1 << LOG_POINTS)
#define ROUNDS 40

/* Numbers of 1.30 bits. */
#define ONE (1 << 30)

static int32_t real[POINTS], imaginary[POINTS], original[POINTS];
static int32_t sine[POINTS / 2], cosine[POINTS / 2];

static int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)(((int64_t)a * b + (1 << 29)) >> 30);
}

/* By rotation through 2 pi / POINTS, from a quarter turn down, so that errors stay small. */
static void make_tables(void)
{
    const int32_t step_cosine = 1073721611, step_sine = 6588356;
    int32_t c = ONE - 1, s = 0;
    for (int i = 0; i < POINTS / 4; i++) {
        cosine[i] = c;
        sine[i] = s;
        cosine[i + POINTS / 4] = -s;
        sine[i + POINTS / 4] = c;
        int32_t next = multiply(c, step_cosine) - multiply(s, step_sine);
        s = multiply(s, step_cosine) + multiply(c, step_sine);
        c = next;
    }
}

static void reverse_bits(void)
{
    for (unsigned i = 0; i < POINTS; i++) {
        unsigned j = 0;
        for (int bit = 0; bit < LOG_POINTS; bit++)
            j |= (i >> bit & 1) << (LOG_POINTS - 1 - bit);
        if (i < j) {
            int32_t swap = real[i];
            real[i] = real[j];
            real[j] = swap;
            swap = imaginary[i];
            imaginary[i] = imaginary[j];
            imaginary[j] = swap;
        }
    }
}

/* Halves at every stage of the way there, so that nothing overflows; direction is 1 or -1. */
static void transform(int direction)
{
    int halve = direction > 0;
    reverse_bits();
    for (int half = 1, step = POINTS / 2; half < POINTS; half *= 2, step /= 2)
        for (int k = 0; k < half; k++) {
            int32_t c = cosine[k * step], s = direction > 0 ? -sine[k * step] : sine[k * step];
            for (int one = k; one < POINTS; one += 2 * half) {
                int other = one + half;
                int32_t re = multiply(real[other], c) - multiply(imaginary[other], s);
                int32_t im = multiply(real[other], s) + multiply(imaginary[other], c);
                real[other] = (real[one] - re) >> halve;
                imaginary[other] = (imaginary[one] - im) >> halve;
                real[one] = (real[one] + re) >> halve;
                imaginary[one] = (imaginary[one] + im) >> halve;
            }
        }
}

int program(void)
{
    uint32_t hash = 0;
    make_tables();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < POINTS; i++) {
            real[i] = original[i] = (int32_t)board_random() >> 4;
            imaginary[i] = 0;
        }
        transform(1);
        for (int i = 0; i < POINTS; i++)
            hash = hash * 31 + (uint32_t)real[i] + (uint32_t)imaginary[i];
        transform(-1);
        for (int i = 0; i < POINTS; i++) {
            int32_t error = real[i] - original[i];
            if (error > 65536 || error < -65536)
                return 1;
        }
    }
    return hash != 0xf1b5a81fu;
}
