// Exceptions through several functions with destructors.
#include <cstdio>
#include <stdexcept>

static int alive;
struct Guard {
    __attribute__((noinline)) Guard() { alive++; }
    __attribute__((noinline)) ~Guard() { alive--; }
};
__attribute__((noinline)) static int third(int n)
{
    Guard guard;
    if (n % 5 == 0)
        throw std::runtime_error("five");
    return n * 2;
}
__attribute__((noinline)) static int second(int n)
{
    Guard guard;
    return third(n) + 1;
}
__attribute__((noinline)) static int first(int n)
{
    try {
        Guard guard;
        return second(n);
    } catch (const std::runtime_error &error) {
        return error.what()[0];
    }
}
int main()
{
    long sum = 0;
    for (int i = 0; i < 300; i++)
        sum += first(i);
    std::printf("%ld %d\n", sum, alive);
}
