/* What the programs run on: some memory and one page of devices. docs/working_set.md describes it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_REGISTER(offset) (*(volatile uint32_t *)(0x10000000u + (offset)))

/* A store writes the lowest byte to the console. */
#define BOARD_CONSOLE BOARD_REGISTER(0x00)
/* A store ends the run with this status; 0 is success. */
#define BOARD_EXIT BOARD_REGISTER(0x04)
/* A load takes the next byte of the input, or all ones at its end. */
#define BOARD_INPUT BOARD_REGISTER(0x08)
/* Where in memory a block of the input goes. */
#define BOARD_BLOCK_ADDRESS BOARD_REGISTER(0x0c)
/* A store asks for a block of this many bytes; a load says how many came. */
#define BOARD_BLOCK_LENGTH BOARD_REGISTER(0x10)
/* Instructions retired, modulo 2^32. */
#define BOARD_TIME BOARD_REGISTER(0x14)
/* A store asks for a timer interrupt after this many more instructions (0: none) and ends the pending one. */
#define BOARD_TIMER BOARD_REGISTER(0x18)

/* The program's self-check: 0 if its answers are the known ones. */
int program(void);

/* Writes text to the console. */
void board_print(const char *text);

/* Ends the run. */
void board_exit(int status) __attribute__((noreturn));

/* The next of a fixed sequence of pseudo-random numbers. */
uint32_t board_random(void);

#endif
