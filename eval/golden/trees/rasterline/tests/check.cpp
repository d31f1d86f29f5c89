#include "check.hpp"

#include <iostream>
#include <utility>
#include <vector>

static std::vector<std::pair<const char*, std::function<void()>>>& tests() {
    static std::vector<std::pair<const char*, std::function<void()>>> all;
    return all;
}

void register_test(const char* name, std::function<void()> body) { tests().emplace_back(name, std::move(body)); }

int main() {
    int failed = 0;
    for (const auto& [name, body] : tests()) {
        try {
            body();
        } catch (const std::exception& error) {
            std::cerr << name << ": " << error.what() << '\n';
            ++failed;
        }
    }
    std::cerr << tests().size() - failed << " passed, " << failed << " failed\n";
    return failed != 0;
}
