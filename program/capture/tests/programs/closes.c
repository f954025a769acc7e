// Closes every descriptor that it did not open, as daemons do.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    for (int descriptor = 3; descriptor < 1024; descriptor++)
        close(descriptor);
    volatile int sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += i % 7;
    printf("%d\n", sum);
    return 0;
}
