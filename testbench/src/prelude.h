// What every model and the harness include first.
#include "verilated.h"

#include <initializer_list>

// Verilator 5.006 clears the wrong words where the highest ones of a wide constant are 0: those after the variable.
static inline WDataOutP high_words(int bits, int low, WDataOutP all, std::initializer_list<EData> words) {
    int place = VL_WORDS_I(low) + static_cast<int>(words.size());
    for (int zero = place; zero < VL_WORDS_I(bits); ++zero) all[zero] = 0;
    for (const EData word : words) all[--place] = word;
    return all;
}
#define VL_CONSTHI_W_1X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_2X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_3X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_4X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_5X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_6X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_7X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})
#define VL_CONSTHI_W_8X(bits, low, all, ...) high_words(bits, low, all, {__VA_ARGS__})

// What the generated part of a model provides for the harness, which is compiled once for all models.
class Vmodel;
class VerilatedVcdC;
extern const unsigned input_count;
Vmodel* construct(VerilatedContext* context);
void destroy(Vmodel* model);
void eval(Vmodel& model);
void finish(Vmodel& model);
void trace(Vmodel& model, VerilatedVcdC* waves);
void set_inputs(Vmodel& model, const uint64_t* inputs);
void get_outputs(Vmodel& model, uint64_t* outputs);
void set_clock(Vmodel& model, bool level);
