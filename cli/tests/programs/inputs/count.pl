use strict;
use List::Util qw(sum);
my %count;
while (<>) {
    $count{lc $1}++ while /(\w+)/g;
}
my @most = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%s: %d of %d\n", $_, $count{$_}, sum(values %count) for @most[0 .. 4];
eval { die "caught\n" };
print $@;
