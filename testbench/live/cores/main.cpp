// Gives the board its clock, until it ends the simulation.
#include "Vboard.h"
#include "verilated.h"
#include <cstdlib>
#include <memory>

int main(int argc, char **argv)
{
    const auto context = std::make_unique<VerilatedContext>();
    context->commandArgs(argc, argv);
    const auto board = std::make_unique<Vboard>(context.get());
    const char *limit = getenv("CYCLES");
    for (long left = 2 * (limit ? atol(limit) : 8000000); left && !context->gotFinish(); left--) {
        board->clock = !board->clock;
        context->timeInc(1);
        board->eval();
    }
    board->final();
    return context->gotFinish() ? 0 : 1;
}
