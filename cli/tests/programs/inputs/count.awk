{ for (i = 1; i <= NF; i++) count[tolower($i)]++ }
END {
    for (word in count) total += count[word] * length(word)
    printf "%d %.3f\n", total, sqrt(total)
}
