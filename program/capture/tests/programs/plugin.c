// A library: one function, whose name and number are chosen when it is compiled.
int NAME(int number)
{
    int sum = 0;
    for (int i = 0; i < number; i++)
        sum += i % NUMBER;
    return sum;
}
