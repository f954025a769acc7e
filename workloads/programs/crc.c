/* CRC-32 of a buffer, bit by bit and by table, again and again. */
#include "board.h"

#define BYTES 4096
#define ROUNDS 250

static uint8_t buffer[BYTES];
static uint32_t table[256];

static uint32_t crc_of_bit(uint32_t crc)
{
    return crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
}

static uint32_t crc_bitwise(const uint8_t *bytes, unsigned count)
{
    uint32_t crc = ~0u;
    while (count--) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc_of_bit(crc);
    }
    return ~crc;
}

static void make_table(void)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc_of_bit(crc);
        table[byte] = crc;
    }
}

static uint32_t crc_by_table(const uint8_t *bytes, unsigned count)
{
    uint32_t crc = ~0u;
    while (count--)
        crc = crc >> 8 ^ table[(crc ^ *bytes++) & 0xff];
    return ~crc;
}

int program(void)
{
    static const uint8_t digits[] = "123456789";
    make_table();
    if (crc_bitwise(digits, 9) != 0xcbf43926u || crc_by_table(digits, 9) != 0xcbf43926u)
        return 1;
    for (unsigned i = 0; i < BYTES; i++)
        buffer[i] = (uint8_t)board_random();
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t crc = crc_bitwise(buffer, BYTES);
        if (crc != crc_by_table(buffer, BYTES))
            return 2;
        buffer[round % BYTES] = (uint8_t)crc;
    }
    return crc_by_table(buffer, BYTES) != 0x5eb37667u;
}
