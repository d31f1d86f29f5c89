#pragma once

#include <functional>
#include <sstream>
#include <stdexcept>

void register_test(const char* name, std::function<void()> body);

#define TEST(name)                                                   \
    static void name();                                              \
    static const bool name##_registered = (register_test(#name, name), true); \
    static void name()

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            std::ostringstream out;                                  \
            out << __FILE__ << ':' << __LINE__ << ": " << #condition; \
            throw std::logic_error(out.str());                       \
        }                                                            \
    } while (false)
