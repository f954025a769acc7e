/* Reads records with a checksum, sorts them and adds them up by kind. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 1500, KINDS = 5 };

struct record {
    uint32_t key, value;
    uint8_t kind;
    uint16_t check;
};

static struct record records[RECORDS];
static uint64_t sums[KINDS];
static unsigned damaged;

static uint32_t random_number(void) {
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint16_t checksum(const struct record *record) {
    uint32_t sum = record->key ^ record->value ^ record->kind;
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    return (uint16_t)(sum ^ sum >> 16);
}

static void repair(struct record *record) {
    damaged++;
    for (int bit = 0; bit < 16; bit++) {
        record->check ^= 1u << bit;
        if (record->check == checksum(record)) return;
        record->check ^= 1u << bit;
    }
    fprintf(stderr, "record %u cannot be repaired\n", record->key);
    exit(1);
}

static void read_records(void) {
    for (int number = 0; number < RECORDS; number++) {
        struct record *record = &records[number];
        record->key = random_number() % 10000;
        record->value = random_number() % 1000;
        record->kind = random_number() % 100 < 90 ? 0 : 1 + random_number() % (KINDS - 1);
        record->check = checksum(record);
        if (random_number() % 200 == 0) record->check ^= 4;
        if (record->check != checksum(record)) repair(record);
    }
}

static void sort(int left, int right) {
    while (left < right) {
        uint32_t middle = records[(left + right) / 2].key;
        int low = left, high = right;
        while (low <= high) {
            while (records[low].key < middle) low++;
            while (records[high].key > middle) high--;
            if (low > high) break;
            struct record record = records[low];
            records[low++] = records[high];
            records[high--] = record;
        }
        sort(left, high);
        left = low;
    }
}

static void add(const struct record *record) {
    switch (record->kind) {
    case 4: sums[4] += record->value * 4; break;
    case 3: sums[3] += record->value ^ 3; break;
    case 2: sums[2] += record->value / 3; break;
    case 1: sums[1] += record->value * 7 % 11; break;
    default: sums[0] += record->value;
    }
}

int main(void) {
    read_records();
    sort(0, RECORDS - 1);
    for (int number = 0; number < RECORDS; number++) add(&records[number]);
    for (int kind = 0; kind < KINDS; kind++) printf("%llu ", (unsigned long long)sums[kind]);
    printf("%u damaged, first %u\n", damaged, records[0].key);
    return 0;
}
