// Maps, sorting with a comparison of its own, strings.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

__attribute__((noinline)) static bool before(const std::string &a, const std::string &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }
__attribute__((noinline)) static std::string word(unsigned number)
{
    std::string text;
    while (number) {
        text += char('a' + number % 26);
        number /= 26;
    }
    return text;
}
__attribute__((noinline)) static unsigned count(const std::map<std::string, unsigned> &counts)
{
    unsigned sum = 0;
    for (const auto &entry : counts)
        sum += entry.second * unsigned(entry.first.size());
    return sum;
}
int main()
{
    std::vector<std::string> words;
    std::map<std::string, unsigned> counts;
    for (unsigned i = 0; i < 2000; i++) {
        words.push_back(word(i * 2654435761u >> 12));
        counts[word(i % 97)]++;
    }
    std::sort(words.begin(), words.end(), before);
    std::printf("%s %u\n", words[1000].c_str(), count(counts));
}
