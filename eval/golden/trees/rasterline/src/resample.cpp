#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "raster/ops.hpp"

namespace raster {
namespace {

constexpr float kLobes = 3.0f;

float lanczos(float x) {
    if (x == 0.0f) {
        return 1.0f;
    }
    if (std::abs(x) >= kLobes) {
        return 0.0f;
    }
    const float px = std::numbers::pi_v<float> * x;
    return kLobes * std::sin(px) * std::sin(px / kLobes) / (px * px);
}

struct Contribution {
    int first;
    std::vector<float> weights;
};

/// Which input samples make up each output sample along one axis.
std::vector<Contribution> contributions(int from, int to) {
    const float scale = float(from) / float(to);
    const float stretch = std::max(scale, 1.0f);
    std::vector<Contribution> result(to);
    for (int i = 0; i < to; ++i) {
        const float center = (float(i) + 0.5f) * scale - 0.5f;
        const int first = int(std::ceil(center - kLobes * stretch));
        const int last = int(std::floor(center + kLobes * stretch));
        Contribution& c = result[i];
        c.first = first;
        float sum = 0.0f;
        for (int j = first; j <= last; ++j) {
            c.weights.push_back(lanczos((float(j) - center) / stretch));
            sum += c.weights.back();
        }
        for (float& w : c.weights) {
            w /= sum;
        }
    }
    return result;
}

}  // namespace

int kernel_reach(float scale) { return int(std::ceil(kLobes * std::max(scale, 1.0f))); }

Image resample(const Image& input, int width, int height) {
    const auto columns = contributions(input.width(), width);
    const auto rows = contributions(input.height(), height);
    const int channels = input.channels();

    Image narrow(width, input.height(), channels);
    for (int y = 0; y < input.height(); ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                float sum = 0.0f;
                for (std::size_t k = 0; k < columns[x].weights.size(); ++k) {
                    sum += columns[x].weights[k] * input.at_clamped(columns[x].first + int(k), y, c);
                }
                narrow.row(y)[x * channels + c] = sum;
            }
        }
    }
    Image result(width, height, channels);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                float sum = 0.0f;
                for (std::size_t k = 0; k < rows[y].weights.size(); ++k) {
                    sum += rows[y].weights[k] * narrow.at_clamped(x, rows[y].first + int(k), c);
                }
                // The negative lobes overshoot next to hard edges.
                result.row(y)[x * channels + c] = std::clamp(sum, 0.0f, 1.0f);
            }
        }
    }
    return result;
}

}  // namespace raster
