/* Counts the words of a text that it makes: a hash table, a sort by frequency. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 64, WORDS = 800, LONGEST = 8 };

struct word {
    struct word *next;
    unsigned count;
    char text[LONGEST];
};

static struct word *buckets[BUCKETS];
static struct word pool[WORDS];
static unsigned used, refused;

static unsigned random_number(void) {
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

static unsigned hash(const char *text) {
    unsigned value = 5381;
    while (*text) value = value * 33 ^ (unsigned char)*text++;
    return value % BUCKETS;
}

/* A word that is not valid is rare, and what happens then is long. */
static int is_valid(const char *text) {
    unsigned length = 0;
    for (; text[length]; length++) {
        if (text[length] < 'a' || text[length] > 'z') {
            refused++;
            if (refused > 1000000) {
                fprintf(stderr, "too many words are refused: %u\n", refused);
                exit(1);
            }
            return 0;
        }
    }
    if (length == 0) {
        fprintf(stderr, "an empty word\n");
        exit(1);
    }
    return 1;
}

static void count(const char *text) {
    if (!is_valid(text)) return;
    struct word **place = &buckets[hash(text)];
    for (; *place; place = &(*place)->next) {
        if (!strcmp((*place)->text, text)) {
            (*place)->count++;
            return;
        }
    }
    if (used == WORDS) {
        fprintf(stderr, "no room for %s\n", text);
        exit(1);
    }
    struct word *added = *place = &pool[used++];
    strcpy(added->text, text);
    added->count = 1;
}

static int by_count(const void *left, const void *right) {
    const struct word *a = left, *b = right;
    if (a->count != b->count) return a->count < b->count ? 1 : -1;
    return strcmp(a->text, b->text);
}

int main(void) {
    char text[LONGEST];
    for (int number = 0; number < 4000; number++) {
        unsigned length = 1 + random_number() % 2;
        for (unsigned place = 0; place < length; place++) {
            text[place] = 'a' + random_number() % 26;
        }
        text[length] = 0;
        if (random_number() % 500 == 0) text[0] = '?';
        count(text);
    }
    qsort(pool, used, sizeof *pool, by_count);
    for (int place = 0; place < 3; place++) {
        printf("%s %u\n", pool[place].text, pool[place].count);
    }
    printf("%u words, %u refused\n", used, refused);
    return 0;
}
