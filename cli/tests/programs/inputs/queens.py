def queens(n, row=0, columns=0, up=0, down=0):
    if row == n:
        return 1
    return sum(
        queens(n, row + 1, columns | 1 << c, (up | 1 << c) << 1, (down | 1 << c) >> 1)
        for c in range(n)
        if not (columns | up | down) >> c & 1
    )


try:
    raise ValueError(queens(5))
except ValueError as error:
    print(error)
