// The C interface of the Verilated run time that verilator-sys binds.
#ifndef VERILATED_C_H_
#define VERILATED_C_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A simulation context: time, random seed and flags that the models built on it share.
typedef struct verilated_context verilated_context;

// The version of the run time and its date, such as "5.006 2023-01-22"; never freed.
const char* verilated_product_version(void);

// A new context, also made the current one of this thread. NULL when memory is exhausted.
verilated_context* verilated_context_new(void);
// Ends a context. No model may still use it.
void verilated_context_free(verilated_context* context);
// Makes this context the current one of this thread.
void verilated_context_enter(verilated_context* context);

// What registers and memories without a reset start with: 0 zeros, 1 ones, 2 random bits.
void verilated_context_set_random_reset(verilated_context* context, int mode);
int verilated_context_random_reset(const verilated_context* context);
// The seed of the random bits, 1 to 2^31 - 1.
void verilated_context_set_random_seed(verilated_context* context, int seed);
int verilated_context_random_seed(const verilated_context* context);
// 64 random bits from the context current on this thread, as `$random` draws them.
uint64_t verilated_random(void);

// Simulation time in units of the time precision.
void verilated_context_set_time(verilated_context* context, uint64_t time);
uint64_t verilated_context_time(const verilated_context* context);

// Nonzero once a model executed `$finish`.
int verilated_context_finished(const verilated_context* context);

#ifdef __cplusplus
}
#endif

#endif
