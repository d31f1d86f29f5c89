#include <algorithm>
#include <array>
#include <cmath>

#include "raster/ops.hpp"

namespace raster {
namespace {

constexpr int kEncodeSteps = 4096;

float expand(float v) {
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

float compress(float v) {
    return v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
}

std::array<float, 256> make_decode_table() {
    std::array<float, 256> table{};
    for (int i = 0; i < 256; ++i) {
        table[i] = expand(float(i) / 255.0f);
    }
    return table;
}

std::array<std::uint8_t, kEncodeSteps + 1> make_encode_table() {
    std::array<std::uint8_t, kEncodeSteps + 1> table{};
    for (int i = 0; i <= kEncodeSteps; ++i) {
        table[i] = std::uint8_t(std::lround(compress(float(i) / kEncodeSteps) * 255.0f));
    }
    return table;
}

const auto kDecode = make_decode_table();
const auto kEncode = make_encode_table();

}  // namespace

float srgb_to_linear(std::uint8_t value) { return kDecode[value]; }

std::uint8_t linear_to_srgb(float value) {
    const float clamped = std::clamp(value, 0.0f, 1.0f);
    return kEncode[int(clamped * kEncodeSteps + 0.5f)];
}

void to_gray(Image& image) {
    if (image.channels() != 3) {
        return;
    }
    for (int y = 0; y < image.height(); ++y) {
        float* p = image.row(y);
        for (int x = 0; x < image.width(); ++x, p += 3) {
            const float luma = 0.2126f * p[0] + 0.7152f * p[1] + 0.0722f * p[2];
            p[0] = p[1] = p[2] = luma;
        }
    }
}

}  // namespace raster
