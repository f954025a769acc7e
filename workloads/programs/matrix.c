/* Matrix multiplication, plain and in blocks, and Freivalds' check of the product. */
#include "board.h"

#define SIZE 64
#define BLOCK 8
#define ROUNDS 6

typedef uint32_t matrix[SIZE][SIZE];

static matrix left, right, product, blocked;

static void multiply(matrix into, matrix a, matrix b)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            into[i][j] = sum;
        }
}

static void multiply_block(matrix into, matrix a, matrix b, int i0, int j0, int k0)
{
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int k = k0; k < k0 + BLOCK; k++)
            for (int j = j0; j < j0 + BLOCK; j++)
                into[i][j] += a[i][k] * b[k][j];
}

static void multiply_blocked(matrix into, matrix a, matrix b)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            into[i][j] = 0;
    for (int i = 0; i < SIZE; i += BLOCK)
        for (int j = 0; j < SIZE; j += BLOCK)
            for (int k = 0; k < SIZE; k += BLOCK)
                multiply_block(into, a, b, i, j, k);
}

static void apply(matrix a, const uint32_t *vector, uint32_t *into)
{
    for (int i = 0; i < SIZE; i++) {
        into[i] = 0;
        for (int j = 0; j < SIZE; j++)
            into[i] += a[i][j] * vector[j];
    }
}

/* (a b) v is a (b v). */
static int is_product(void)
{
    uint32_t vector[SIZE], one[SIZE], other[SIZE];
    for (int i = 0; i < SIZE; i++)
        vector[i] = board_random();
    apply(right, vector, one);
    apply(left, one, other);
    apply(product, vector, one);
    for (int i = 0; i < SIZE; i++)
        if (one[i] != other[i])
            return 0;
    return 1;
}

int program(void)
{
    uint32_t hash = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                left[i][j] = board_random();
                right[i][j] = round ? product[j][i] : board_random();
            }
        multiply(product, left, right);
        multiply_blocked(blocked, left, right);
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                if (product[i][j] != blocked[i][j])
                    return 1;
                hash = hash * 31 + product[i][j];
            }
        if (!is_product())
            return 2;
    }
    return hash != 0x6d193b81u;
}
