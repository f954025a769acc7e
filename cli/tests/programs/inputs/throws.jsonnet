local inverse(x) = if x == 0 then error "no inverse" else 1 / x;
local list = std.makeArray(40, function(i) { name: "n" + i, of: inverse(20 - i) });
{ total: std.foldl(function(sum, one) sum + one.of, list, 0), names: std.join(",", [one.name for one in list]) }
