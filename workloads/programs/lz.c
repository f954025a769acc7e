/* LZ77 with a hash table: compress, decompress, compare. */
#include <string.h>

#include "board.h"

#define BYTES 16384
#define HASHES 1024
#define SHORTEST 4
#define LONGEST (SHORTEST + 127)
#define ROUNDS 4

static uint8_t plain[BYTES], packed[2 * BYTES], unpacked[BYTES];
static uint16_t last[HASHES];

static unsigned hash_at(const uint8_t *bytes)
{
    uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return word * 2654435761u >> 22;
}

/* A byte below 128 is a number of literals, less one; from 128 on a length, then two bytes of distance. */
static unsigned flush_literals(unsigned from, unsigned to, unsigned out)
{
    while (from < to) {
        unsigned count = to - from < 128 ? to - from : 128;
        packed[out++] = (uint8_t)(count - 1);
        memcpy(packed + out, plain + from, count);
        out += count;
        from += count;
    }
    return out;
}

static unsigned match_length(unsigned one, unsigned other)
{
    unsigned length = 0;
    while (other + length < BYTES && length < LONGEST && plain[one + length] == plain[other + length])
        length++;
    return length;
}

static unsigned compress(void)
{
    unsigned out = 0, literals = 0, at = 0;
    memset(last, 0, sizeof last);
    while (at + SHORTEST <= BYTES) {
        uint16_t *place = &last[hash_at(plain + at)];
        unsigned before = *place, length = before < at ? match_length(before, at) : 0;
        *place = (uint16_t)at;
        if (length < SHORTEST) {
            at++;
            continue;
        }
        out = flush_literals(literals, at, out);
        packed[out++] = (uint8_t)(128 + length - SHORTEST);
        packed[out++] = (uint8_t)(at - before);
        packed[out++] = (uint8_t)((at - before) >> 8);
        literals = at += length;
    }
    return flush_literals(literals, BYTES, out);
}

static unsigned decompress(unsigned size)
{
    unsigned out = 0;
    for (unsigned in = 0; in < size;) {
        unsigned head = packed[in++];
        if (head < 128) {
            memcpy(unpacked + out, packed + in, head + 1);
            in += head + 1;
            out += head + 1;
        } else {
            unsigned distance = packed[in] | packed[in + 1] << 8;
            in += 2;
            for (unsigned i = 0; i < head - 128 + SHORTEST; i++, out++)
                unpacked[out] = unpacked[out - distance];
        }
    }
    return out;
}

int program(void)
{
    static const char *const words[] = {"compress", "decompress", "literal", "match", "window", " ", ", ", "\n"};
    uint32_t sizes = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned end = 0;
        while (end < BYTES) {
            const char *word = words[board_random() % (4 + round)];
            while (*word && end < BYTES)
                plain[end++] = (uint8_t)*word++;
            if (end < BYTES && board_random() % 8 == 0)
                plain[end++] = (uint8_t)board_random();
        }
        unsigned size = compress();
        if (size >= BYTES || decompress(size) != BYTES || memcmp(plain, unpacked, BYTES))
            return 1;
        sizes = sizes * 31 + size;
    }
    return sizes != 0x0a97b8bbu;
}
