#include "raster/ops.hpp"

namespace raster {

std::vector<std::array<float, 256>> cumulative_histogram(const Image& image) {
    std::vector<std::array<float, 256>> tables(image.channels());
    for (int y = 0; y < image.height(); ++y) {
        const float* p = image.row(y);
        for (int x = 0; x < image.width(); ++x) {
            for (auto& table : tables) {
                table[linear_to_srgb(*p++)] += 1.0f;
            }
        }
    }
    const float total = float(image.width()) * float(image.height());
    for (auto& table : tables) {
        float below = 0.0f;
        for (float& share : table) {
            below += share / total;
            share = below;
        }
    }
    return tables;
}

void equalize(Image& image, const std::vector<std::array<float, 256>>& tables) {
    for (int y = 0; y < image.height(); ++y) {
        float* p = image.row(y);
        for (int x = 0; x < image.width(); ++x) {
            for (const auto& table : tables) {
                *p = srgb_to_linear(static_cast<unsigned char>(255.0f * table[linear_to_srgb(*p)]));
                ++p;
            }
        }
    }
}

}  // namespace raster
