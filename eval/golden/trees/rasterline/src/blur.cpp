#include <algorithm>
#include <cmath>

#include "raster/ops.hpp"

namespace raster {

/// Three odd box sizes whose repeated application has the variance of the wanted bell curve.
std::array<int, 3> box_radii(float sigma) {
    const float ideal = std::sqrt(12.0f * sigma * sigma / 3.0f + 1.0f);
    int lower = int(ideal);
    if (lower % 2 == 0) {
        --lower;
    }
    const float m = (12.0f * sigma * sigma - 3.0f * lower * lower - 12.0f * lower - 9.0f) /
                    (-4.0f * lower - 4.0f);
    const int small = int(std::lround(m));
    std::array<int, 3> radii{};
    for (int i = 0; i < 3; ++i) {
        radii[i] = ((i < small ? lower : lower + 2) - 1) / 2;
    }
    return radii;
}

namespace {

void blur_rows(const Image& in, Image& out, int radius) {
    const int channels = in.channels();
    const float share = 1.0f / float(2 * radius + 1);
    for (int y = 0; y < in.height(); ++y) {
        for (int c = 0; c < channels; ++c) {
            float sum = 0.0f;
            for (int x = -radius; x <= radius; ++x) {
                sum += in.at_clamped(x, y, c);
            }
            for (int x = 0; x < in.width(); ++x) {
                out.row(y)[x * channels + c] = sum * share;
                sum += in.at_clamped(x + radius + 1, y, c) - in.at_clamped(x - radius, y, c);
            }
        }
    }
}

void blur_columns(const Image& in, Image& out, int radius) {
    const int channels = in.channels();
    const float share = 1.0f / float(2 * radius + 1);
    for (int x = 0; x < in.width(); ++x) {
        for (int c = 0; c < channels; ++c) {
            float sum = 0.0f;
            for (int y = -radius; y <= radius; ++y) {
                sum += in.at_clamped(x, y, c);
            }
            for (int y = 0; y < in.height(); ++y) {
                out.row(y)[x * channels + c] = sum * share;
                sum += in.at_clamped(x, y + radius + 1, c) - in.at_clamped(x, y - radius, c);
            }
        }
    }
}

}  // namespace

Image box_blur(const Image& input, int radius) {
    Image middle(input.width(), input.height(), input.channels());
    Image result(input.width(), input.height(), input.channels());
    blur_rows(input, middle, radius);
    blur_columns(middle, result, radius);
    return result;
}

Image gaussian_blur(const Image& input, float sigma) {
    Image image = input;
    for (const int radius : box_radii(sigma)) {
        if (radius > 0) {
            image = box_blur(image, radius);
        }
    }
    return image;
}

}  // namespace raster
