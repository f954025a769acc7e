// Drives a module in CXXRTL as its testbench does, and compares the trace with the golden model's. The test puts the places of
// what a line of vectors.hex has, and the pins, for the words between @.
#include "model.cpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

// Where a line has its flags (valid, more of this cycle, flush) and the cycles to wait before it.
constexpr unsigned FLAGS_AT = @FLAGS_AT@, WAIT_AT = @WAIT_AT@;

// The bits of a line of vectors.hex, the lowest first.
struct Line {
    std::vector<bool> bits;
    explicit Line(const std::string &digits)
    {
        for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
            for (int bit = 0; bit < 4; bit++)
                bits.push_back(std::stoi(std::string(1, *digit), nullptr, 16) >> bit & 1);
    }
    uint32_t field(unsigned low, unsigned width) const
    {
        uint32_t value = 0;
        for (unsigned bit = 0; bit < width; bit++)
            value |= uint32_t(low + bit < bits.size() && bits[low + bit]) << bit;
        return value;
    }
};

static int fail(const char *what, size_t bits)
{
    printf("FAIL: %s after %zu bits\n", what, bits);
    return 1;
}

int main()
{
    std::vector<Line> lines;
    std::vector<bool> expected;
    std::string text;
    std::ifstream vectors("vectors.hex"), words("expected.hex");
    while (vectors >> text)
        lines.emplace_back(text);
    while (words >> text) {
        Line word(text);
        expected.insert(expected.end(), word.bits.begin(), word.bits.end());
    }
    cxxrtl_design::@TOP@ top;
    auto clock = [&top] {
        top.p_clock.set(false);
        top.step();
        top.p_clock.set(true);
        top.step();
    };
    top.p_reset.set(true);
    for (int cycle = 0; cycle < 4; cycle++)
        clock();
    top.p_reset.set(false);
    size_t next = 0, bits = 0;
    uint32_t waits = 0, noise = 1;
    enum { START, RUN, FLUSH, RELEASE, REST } phase = START;
    bool loaded = false;
    for (int rest = 0; rest < 20000; rest++) {
        noise = noise << 1 | ((noise >> 31 ^ noise >> 21 ^ noise >> 1 ^ noise) & 1);
        // Outputs are those before the next edge.
        top.p_retire__valid.set(false);
        top.p_clock.set(false);
        top.step();
        bool stall = top.p_stall.get<bool>(), flushed = top.p_flushed.get<bool>();
        if (phase == START && !stall)
            phase = RUN;
        if (phase == FLUSH && flushed) {
            top.p_flush.set(false);
            phase = RELEASE;
        } else if (phase == RELEASE && !flushed)
            phase = next == lines.size() ? REST : RUN;
        if (phase == RUN && !loaded && next < lines.size()) {
            waits = lines[next].field(WAIT_AT, 12);
            loaded = true;
        }
        if (phase == RUN && loaded && waits > 0)
            waits--;
        else if (phase == RUN && loaded) {
            const Line &line = lines[next];
            bool valid = line.field(FLAGS_AT, 1);
            top.p_retire__valid.set(valid);
@PINS@            if (!valid || !stall) {
                loaded = false;
                next++;
                rest = 0;
                if (line.field(FLAGS_AT + 2, 1)) {
                    top.p_flush.set(true);
                    phase = FLUSH;
                }
            }
        }
        top.p_trace__ready.set((noise >> 8 & 3) != 0);
        if (top.p_trace__valid.get<bool>() && (noise >> 8 & 3) != 0) {
            if (bits == expected.size())
                return fail("the trace has more", bits);
            if (top.p_trace__data.get<bool>() != expected[bits++])
                return fail("the trace differs", bits);
            rest = 0;
        }
        top.p_clock.set(true);
        top.step();
    }
    if (bits != expected.size() || next != lines.size())
        return fail("the trace ends", bits);
    printf("PASS: %zu bits\n", bits);
}
