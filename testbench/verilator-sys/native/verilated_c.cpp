// The C interface of the Verilated run time, and the handlers for the ends of a simulation.
//
// The run time's own handlers print to standard output and abort the process. These throw
// std::runtime_error instead, so that whoever calls `eval` can report what went wrong.

#include "verilated_c.h"

#include "verilated.h"

#include <new>
#include <stdexcept>
#include <string>

namespace {

std::string at(const char* file, int line, const char* message) {
    if (!file || !file[0]) return message;
    return std::string{file} + ":" + std::to_string(line) + ": " + message;
}

VerilatedContext* unwrap(verilated_context* context) {
    return reinterpret_cast<VerilatedContext*>(context);
}

const VerilatedContext* unwrap(const verilated_context* context) {
    return reinterpret_cast<const VerilatedContext*>(context);
}

}  // namespace

void vl_finish(const char*, int, const char*) VL_MT_UNSAFE {
    Verilated::threadContextp()->gotFinish(true);
}

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    throw std::runtime_error{at(file, line, "Verilog $stop")};
}

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
    throw std::runtime_error{at(file, line, message)};
}

extern "C" {

const char* verilated_product_version(void) { return Verilated::productVersion(); }

verilated_context* verilated_context_new(void) {
    return reinterpret_cast<verilated_context*>(new (std::nothrow) VerilatedContext{});
}

void verilated_context_free(verilated_context* context) { delete unwrap(context); }

void verilated_context_enter(verilated_context* context) {
    Verilated::threadContextp(unwrap(context));
}

void verilated_context_set_random_reset(verilated_context* context, int mode) {
    unwrap(context)->randReset(mode);
}

int verilated_context_random_reset(const verilated_context* context) {
    return const_cast<VerilatedContext*>(unwrap(context))->randReset();
}

void verilated_context_set_random_seed(verilated_context* context, int seed) {
    unwrap(context)->randSeed(seed);
}

int verilated_context_random_seed(const verilated_context* context) {
    return unwrap(context)->randSeed();
}

uint64_t verilated_random(void) { return vl_rand64(); }

void verilated_context_set_time(verilated_context* context, uint64_t time) {
    unwrap(context)->time(time);
}

uint64_t verilated_context_time(const verilated_context* context) {
    return unwrap(context)->time();
}

int verilated_context_finished(const verilated_context* context) {
    return unwrap(context)->gotFinish() ? 1 : 0;
}

}  // extern "C"
