// An exception that passes frames.

volatile int sink;

struct Guard {
    ~Guard() { sink = 4; }
};

void thrower(int depth) {
    Guard guard;
    if (depth == 0)
        throw depth;
    thrower(depth - 1);
}

int catcher() {
    try {
        thrower(2);
    } catch (int) {
        sink = 5;
        return 1;
    }
    return 0;
}

int main() {
    int caught = catcher();
    return caught - 1;
}
