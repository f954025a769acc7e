local function is_prime(n)
    for d = 2, n ^ 0.5 do
        if n % d == 0 then return false end
    end
    return true
end

local sum, names = 0, {}
for n = 2, 3000 do
    if is_prime(n) then
        sum = sum + n
        names[#names + 1] = tostring(n):rep(2)
    end
end
print(sum, #table.concat(names, " "))
print(pcall(error, { code = 7 }), select(2, coroutine.resume(coroutine.create(function() return 5 end))))
