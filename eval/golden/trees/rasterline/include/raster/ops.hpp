#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "raster/image.hpp"

namespace raster {

float srgb_to_linear(std::uint8_t value);
std::uint8_t linear_to_srgb(float value);
void to_gray(Image& image);

Image resample(const Image& input, int width, int height);
int kernel_reach(float scale);

Image box_blur(const Image& input, int radius);
Image gaussian_blur(const Image& input, float sigma);
std::array<int, 3> box_radii(float sigma);

/// Cumulative share of pixels at or below each of 256 levels, one table for each channel.
std::vector<std::array<float, 256>> cumulative_histogram(const Image& image);
void equalize(Image& image, const std::vector<std::array<float, 256>>& tables);

}  // namespace raster
