/* Heap sort, and quick sort of the same numbers through the C library, compared. */
#include <stdlib.h>
#include <string.h>

#include "board.h"

#define COUNT 4096

static uint32_t by_heap[COUNT], by_library[COUNT];

static void sift_down(uint32_t *heap, unsigned root, unsigned end)
{
    uint32_t value = heap[root];
    for (unsigned child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && heap[child] < heap[child + 1])
            child++;
        if (heap[child] <= value)
            break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

static void heap_sort(uint32_t *numbers, unsigned count)
{
    for (unsigned root = count / 2; root-- > 0;)
        sift_down(numbers, root, count);
    for (unsigned end = count; end-- > 1;) {
        uint32_t largest = numbers[0];
        numbers[0] = numbers[end];
        numbers[end] = largest;
        sift_down(numbers, 0, end);
    }
}

static int ascending(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

int program(void)
{
    for (unsigned i = 0; i < COUNT; i++)
        by_heap[i] = by_library[i] = board_random();
    heap_sort(by_heap, COUNT);
    qsort(by_library, COUNT, sizeof by_library[0], ascending);
    uint32_t hash = 0;
    for (unsigned i = 0; i < COUNT; i++)
        hash = hash * 31 + by_heap[i];
    return memcmp(by_heap, by_library, sizeof by_heap) != 0 || hash != 0xda7face6u;
}
