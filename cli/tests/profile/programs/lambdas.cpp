// Templates, lambdas, exceptions that are caught, and containers.
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

struct Scale {
    int by;
    explicit Scale(int by) : by(by)
    {
        if (by < 0)
            throw std::invalid_argument("negative");
    }
    int of(int value) const { return by * value; }
};

template <typename T> T larger(T one, T other) { return one < other ? other : one; }

static int scaled(int by, int value)
{
    try {
        return Scale(by).of(value);
    } catch (const std::exception &) {
        return -1;
    }
}

int never(int value)
{
    if (value)
        return 1;
    return 0;
}

int main(int argc, char **)
{
    std::map<std::string, int> sums;
    std::function<int(int)> limit = [](int value) { return value > 3 ? larger(value, 5) : value; };
    for (int value = -2; value < 8; value++)
        sums[value % 2 ? "odd" : "even"] += limit(scaled(value, 2));
    if (argc > 5)
        sums["none"] = never(argc);
    auto show = [&sums](const char *name) { printf("%s %d\n", name, sums[name]); };
    show("odd");
    show("even");
}
