/* What the scripts of cli/tests/debug step through, without a library but setjmp. Lines are named in the scripts. */

#include <setjmp.h>

volatile int sink;
static jmp_buf back;

int innermost(int x) {
    return x * 3 + 1;
}

int inner(int x) {
    int y = innermost(x) + 2;
    return y;
}

int middle(int x) {
    int y = inner(x + 1);
    return y - 1;
}

int outer(int x) {
    int y = middle(x);
    y += middle(y);
    return y;
}

int fib(int n) {
    if (n < 2)
        return n;
    int a = fib(n - 1);
    int b = fib(n - 2);
    return a + b;
}

void leap(int depth) {
    if (depth == 0)
        longjmp(back, 1);
    leap(depth - 1);
}

int jumps(void) {
    if (setjmp(back) == 0) {
        leap(3);
        return 1;
    }
    sink = 2;
    return 2;
}

int last(int x) {
    sink = x;
    return x + 1;
}

__attribute__((noinline, optimize("O2"))) int through(int x) {
    return last(x + 1);
}

int tail(int x) {
    int y = through(x);
    return y;
}

int scenes(void) {
    int total = outer(1);
    total += fib(4);
    total += jumps();
    total += tail(5);
    return total;
}
