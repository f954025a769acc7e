define(`hanoi', `ifelse($1, 0, , `hanoi(decr($1), $2, $4, $3)$2$3 hanoi(decr($1), $4, $3, $2)')')dnl
hanoi(6, a, b, c)
