// Loads two libraries in turn, each after the other was unloaded: on many systems at the same address.
#include <dlfcn.h>
#include <stdio.h>

static int run(const char *file, const char *name)
{
    void *library = dlopen(file, RTLD_NOW);
    int (*function)(int) = library ? (int (*)(int))dlsym(library, name) : 0;
    int sum = function ? function(100) : -1;
    if (library)
        dlclose(library);
    return sum;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += run("./one.so", "first_function");
        sum += run("./two.so", "second_function");
    }
    printf("%d\n", sum);
    return 0;
}
