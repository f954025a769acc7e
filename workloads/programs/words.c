/* Counts the words of its input, which comes in blocks, and then what is left byte by byte. */
#include <ctype.h>
#include <string.h>

#include "board.h"

#define SLOTS 256
#define WORD 16
#define BLOCK 512

static struct {
    char word[WORD];
    unsigned count;
} slots[SLOTS];

static unsigned words, distinct, bytes;
static char word[WORD], block[BLOCK];
static unsigned length;

static void end_word(void)
{
    unsigned hash = 5381;
    if (length == 0)
        return;
    word[length] = 0;
    length = 0;
    words++;
    for (const char *at = word; *at; at++)
        hash = hash * 33 + (uint8_t)*at;
    for (unsigned tries = 0; tries < SLOTS; tries++, hash++) {
        unsigned slot = hash % SLOTS;
        if (slots[slot].count == 0) {
            strcpy(slots[slot].word, word);
            distinct++;
        }
        if (strcmp(slots[slot].word, word) == 0) {
            slots[slot].count++;
            return;
        }
    }
}

static void take(int character)
{
    bytes++;
    if (!isalpha(character))
        end_word();
    else if (length < WORD - 1)
        word[length++] = (char)tolower(character);
}

int program(void)
{
    for (unsigned blocks = 0; blocks < 4; blocks++) {
        BOARD_BLOCK_ADDRESS = (uint32_t)(uintptr_t)block;
        BOARD_BLOCK_LENGTH = BLOCK;
        unsigned came = BOARD_BLOCK_LENGTH;
        for (unsigned i = 0; i < came; i++)
            take(((volatile char *)block)[i]);
    }
    for (uint32_t byte; (byte = BOARD_INPUT) != 0xffffffffu;)
        take((int)byte);
    end_word();
    return bytes != 2411 || words != 467 || distinct != 190;
}
