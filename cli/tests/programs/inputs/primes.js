let sum = 0;
for (let n = 2; n < 3000; n++) {
    let d = 2;
    while (d * d <= n && n % d) d++;
    if (d * d > n) sum += n;
}
console.log(sum);
