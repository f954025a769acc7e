// What a compiled model exports: construct, settle, one clock, waves, coverage.
//
// This file is the same for every model and is compiled once; `prelude.h` declares what it needs of a model. No exception
// leaves it.

#include "prelude.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Status : int { ok = 0, failed = 1, unsupported = 2 };

struct Destroy {
    void operator()(Vmodel* model) const { destroy(model); }
};

struct Instance {
    VerilatedContext context;
    std::unique_ptr<Vmodel, Destroy> model;
#if VM_TRACE
    std::unique_ptr<VerilatedVcdC> waves;
    uint64_t cycle = 0;
#endif
    std::string error;

    // The run time finds the context of `$random`, `$stop` and the like through the thread.
    void enter() { Verilated::threadContextp(&context); }

    void dump(unsigned half) {
#if VM_TRACE
        if (waves && waves->isOpen()) waves->dump(10 * cycle + 5 * half);
#else
        (void)half;
#endif
    }
};

template <typename Body>
inline int guarded(Instance& instance, Body body) {
    try {
        instance.enter();
        return body();
    } catch (const std::exception& e) {
        instance.error = e.what();
    } catch (...) {
        instance.error = "unknown exception";
    }
    return failed;
}

// Random bits come from one generator per thread that any new seed restarts, so models are
// constructed one at a time.
std::mutex construction;

}  // namespace

// A model whose registers and memories hold random bits from this seed, 1 to 2^31 - 1.
// On failure NULL, and the reason in `error`.
EXPORT void* tracewright_model_create(int seed, char* error, size_t error_size) {
    std::string message;
    try {
        const std::lock_guard<std::mutex> lock{construction};
        auto instance = std::make_unique<Instance>();
        instance->enter();
        instance->context.randReset(2);
        instance->context.randSeed(seed);
#if VM_TRACE
        instance->context.traceEverOn(true);
#endif
        instance->model.reset(construct(&instance->context));
        set_clock(*instance->model, false);
        const std::vector<uint64_t> zeros(input_count);
        set_inputs(*instance->model, zeros.data());
        eval(*instance->model);
        return instance.release();
    } catch (const std::exception& e) {
        message = e.what();
    } catch (...) {
        message = "unknown exception";
    }
    if (error_size) {
        const size_t length = std::min(message.size(), error_size - 1);
        std::memcpy(error, message.data(), length);
        error[length] = 0;
    }
    return nullptr;
}

EXPORT void tracewright_model_destroy(void* handle) {
    Instance* const instance = static_cast<Instance*>(handle);
    guarded(*instance, [&] {
        finish(*instance->model);
        return ok;
    });
    delete instance;
}

// Why the last call failed.
EXPORT const char* tracewright_model_error(void* handle) {
    return static_cast<Instance*>(handle)->error.c_str();
}

// Settles the combinational logic without a clock edge.
EXPORT int tracewright_model_settle(void* handle, const uint64_t* inputs, uint64_t* outputs) {
    Instance& instance = *static_cast<Instance*>(handle);
    return guarded(instance, [&] {
        set_inputs(*instance.model, inputs);
        eval(*instance.model);
        get_outputs(*instance.model, outputs);
        return ok;
    });
}

// One clock: inputs, settle, read the outputs, rising edge. The clock stays high until the next.
EXPORT int tracewright_model_cycle(void* handle, const uint64_t* inputs, uint64_t* outputs) {
    Instance& instance = *static_cast<Instance*>(handle);
    return guarded(instance, [&] {
        Vmodel& model = *instance.model;
        set_inputs(model, inputs);
        set_clock(model, false);
        eval(model);
        get_outputs(model, outputs);
        instance.dump(0);
        set_clock(model, true);
        eval(model);
        instance.dump(1);
#if VM_TRACE
        ++instance.cycle;
#endif
        return ok;
    });
}

// Starts a VCD file; NULL ends it. Time 10 is a clock, the rising edge at 5.
EXPORT int tracewright_model_waves(void* handle, const char* path) {
    Instance& instance = *static_cast<Instance*>(handle);
    return guarded(instance, [&]() -> int {
#if VM_TRACE
        if (instance.waves && instance.waves->isOpen()) instance.waves->close();
        if (!path) return ok;
        if (!instance.waves) {
            instance.waves = std::make_unique<VerilatedVcdC>();
            trace(*instance.model, instance.waves.get());
        }
        instance.waves->open(path);
        if (instance.waves->isOpen()) return ok;
        instance.error = std::strerror(errno);
        return failed;
#else
        return path ? unsupported : ok;
#endif
    });
}

// Writes how often every line, branch and toggle was seen since the start.
EXPORT int tracewright_model_coverage(void* handle, const char* path) {
    Instance& instance = *static_cast<Instance*>(handle);
    return guarded(instance, [&]() -> int {
#if VM_COVERAGE
        instance.context.coveragep()->write(path);
        return ok;
#else
        (void)path;
        return unsupported;
#endif
    });
}
