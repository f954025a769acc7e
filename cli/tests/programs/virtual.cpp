// Virtual functions, templates and recursion.
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() {}
    virtual long area(int scale) const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    long area(int scale) const override;
};
struct Circle : Shape {
    int radius;
    explicit Circle(int radius) : radius(radius) {}
    long area(int scale) const override;
};
__attribute__((noinline)) long Square::area(int scale) const { return long(side) * side * scale; }
__attribute__((noinline)) long Circle::area(int scale) const
{
    long sum = 0;
    for (int x = 0; x < radius; x++)
        sum += scale * 3L * x;
    return sum;
}
template <typename T> __attribute__((noinline)) T power(T base, int exponent)
{
    return exponent == 0 ? T(1) : base * power(base, exponent - 1);
}
int main()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 200; i++) {
        if (i % 3)
            shapes.emplace_back(new Square(i));
        else
            shapes.emplace_back(new Circle(i));
    }
    long sum = 0;
    for (const auto &shape : shapes)
        sum += shape->area(2);
    for (int i = 0; i < 50; i++)
        sum += power(3L, i % 20) + long(power(1.5, i % 10));
    std::printf("%ld\n", sum);
}
