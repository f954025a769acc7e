/* Start and end of every program. */
#include "board.h"

void board_print(const char *text)
{
    while (*text)
        BOARD_CONSOLE = (uint8_t)*text++;
}

/* The jump to itself is the last instruction: a run ends with a control-flow instruction. */
void board_exit(int status)
{
    BOARD_EXIT = (uint32_t)status;
    for (;;)
        ;
}

uint32_t board_random(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

int main(void)
{
    int status = program();
    board_print(status ? "wrong\n" : "right\n");
    board_exit(status);
}
