/* The accesses of the driver in the program of unit.c. */
#include <stdint.h>

uint32_t unit_read(uintptr_t address);
uint32_t unit_memory(uint64_t address);
void unit_write(uintptr_t address, uint32_t value);

#define TRACEWRIGHT_MEMORY(address) unit_memory(address)
#define TRACEWRIGHT_READ(base, offset) unit_read((base) + (offset))
#define TRACEWRIGHT_WRITE(base, offset, value) unit_write((base) + (offset), value)
