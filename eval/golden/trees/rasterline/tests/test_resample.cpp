#include <cmath>

#include "check.hpp"
#include "raster/raster.hpp"

using namespace raster;

static Image filled(int width, int height, float value) {
    Image image(width, height, 1);
    for (int y = 0; y < height; ++y) {
        std::fill_n(image.row(y), width, value);
    }
    return image;
}

TEST(resample_keeps_a_flat_image_flat) {
    const Image small = resample(filled(64, 48, 0.5f), 17, 13);
    for (int y = 0; y < small.height(); ++y) {
        for (int x = 0; x < small.width(); ++x) {
            CHECK(std::abs(small.row(y)[x] - 0.5f) < 1e-4f);
        }
    }
}

TEST(resample_never_leaves_the_range) {
    Image step = filled(32, 1, 0.0f);
    std::fill_n(step.row(0) + 16, 16, 1.0f);
    const Image large = resample(step, 100, 1);
    for (int x = 0; x < 100; ++x) {
        CHECK(large.row(0)[x] >= 0.0f && large.row(0)[x] <= 1.0f);
    }
}

TEST(blur_keeps_the_sum_of_light) {
    Image dot = filled(101, 101, 0.0f);
    dot.row(50)[50] = 1.0f;
    const Image blurred = gaussian_blur(dot, 4.0f);
    float sum = 0.0f;
    for (int y = 0; y < 101; ++y) {
        for (int x = 0; x < 101; ++x) {
            sum += blurred.row(y)[x];
        }
    }
    CHECK(std::abs(sum - 1.0f) < 1e-3f);
}

TEST(srgb_round_trip_is_exact) {
    for (int value = 0; value < 256; ++value) {
        CHECK(linear_to_srgb(srgb_to_linear(std::uint8_t(value))) == value);
    }
}
