/* Calls of every kind: recursion of one and of two functions, tail calls, calls through a pointer. */
static volatile int sink;

__attribute__((noinline)) static int leaf(int number) {
    int sum = 0;
    for (int bit = 0; bit < number; bit++) sum += bit ^ number;
    return sum;
}

__attribute__((noinline)) static int fib(int number) {
    if (number < 2) return number + leaf(3);
    return fib(number - 1) + fib(number - 2);
}

__attribute__((noinline)) static int tail(int number) { return leaf(number + 1); }

__attribute__((noinline)) static int odd(int number);

__attribute__((noinline)) static int even(int number) {
    if (!number) return 1;
    int result = odd(number - 1);
    sink = number;
    return result + 1;
}

__attribute__((noinline)) static int odd(int number) {
    if (!number) return 0;
    int result = even(number - 1);
    sink = number;
    return result + 2;
}

__attribute__((noinline)) static int by_pointer(int (*function)(int), int number) {
    return function(number) + 1;
}

int main(void) {
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        sum += fib(8 + round) + tail(round) + even(20 + round);
        sum += by_pointer(round & 1 ? leaf : tail, round);
    }
    return sum & 1 ? 0 : 0;
}
