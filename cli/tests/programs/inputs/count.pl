my (%count, $all);
while (<>) {
    while (/(\w+)/g) {
        $count{lc $1}++;
        $all++;
    }
}
my @most = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%s: %d of %d\n", $_, $count{$_}, $all for @most[0 .. 4];
eval { die "caught\n" };
print $@;
