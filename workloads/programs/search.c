/* String search: the naive way, Knuth-Morris-Pratt and Horspool have to find the same. */
#include <string.h>

#include "board.h"

#define TEXT 16384
#define LONGEST 16

typedef unsigned searcher(const char *pattern, unsigned length);

static char text[TEXT + 1];

static unsigned search_naive(const char *pattern, unsigned length)
{
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, pattern)); at++)
        found++;
    (void)length;
    return found;
}

static unsigned search_knuth_morris_pratt(const char *pattern, unsigned length)
{
    unsigned border[LONGEST + 1] = {0}, found = 0;
    for (unsigned i = 1, matched = 0; i < length; i++) {
        while (matched && pattern[i] != pattern[matched])
            matched = border[matched];
        matched += pattern[i] == pattern[matched];
        border[i + 1] = matched;
    }
    for (unsigned i = 0, matched = 0; i < TEXT; i++) {
        while (matched && text[i] != pattern[matched])
            matched = border[matched];
        matched += text[i] == pattern[matched];
        if (matched == length) {
            found++;
            matched = border[matched];
        }
    }
    return found;
}

static unsigned search_horspool(const char *pattern, unsigned length)
{
    uint8_t skip[256];
    unsigned found = 0;
    memset(skip, (int)length, sizeof skip);
    for (unsigned i = 0; i + 1 < length; i++)
        skip[(uint8_t)pattern[i]] = (uint8_t)(length - 1 - i);
    for (unsigned at = 0; at + length <= TEXT; at += skip[(uint8_t)text[at + length - 1]])
        found += memcmp(text + at, pattern, length) == 0;
    return found;
}

static void make_text(void)
{
    static const char *const words[] = {"trace ", "branch ", "target ", "taken ", "not ", "call ",
                                        "return ", "the ", "of ", "and ", "retire ", "trap "};
    unsigned end = 0;
    while (end < TEXT) {
        const char *word = words[board_random() % (sizeof words / sizeof words[0])];
        while (*word && end < TEXT)
            text[end++] = *word++;
    }
}

int program(void)
{
    static const char *const patterns[] = {"trace", "branch target", "not taken", "e", "the return",
                                           "call", "trap the trap", "absent", "of the "};
    static searcher *const searchers[] = {search_naive, search_knuth_morris_pratt, search_horspool};
    uint32_t hash = 0;
    make_text();
    for (unsigned p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        unsigned found[3];
        for (unsigned s = 0; s < 3; s++)
            found[s] = searchers[s](patterns[p], (unsigned)strlen(patterns[p]));
        if (found[0] != found[1] || found[0] != found[2])
            return 1;
        hash = hash * 1000003 + found[0];
    }
    return hash != 0xd2bc666bu;
}
