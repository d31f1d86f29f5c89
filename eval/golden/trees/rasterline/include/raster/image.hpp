#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace raster {

/// Anything the user can do something about.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Rect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    int right() const { return x + width; }
    int bottom() const { return y + height; }
    Rect grown(int by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    Rect clipped(const Rect& to) const;
    bool operator==(const Rect&) const = default;
};

/// Interleaved linear floats.
class Image {
public:
    Image() = default;
    Image(int width, int height, int channels);

    int width() const { return width_; }
    int height() const { return height_; }
    int channels() const { return channels_; }
    std::size_t bytes() const { return data_.size() * sizeof(float); }

    float* row(int y) { return data_.data() + std::size_t(y) * width_ * channels_; }
    const float* row(int y) const { return data_.data() + std::size_t(y) * width_ * channels_; }

    /// Outside of the image the nearest pixel of the edge is repeated.
    float at_clamped(int x, int y, int channel) const;

    Image cropped(const Rect& area) const;

private:
    int width_ = 0;
    int height_ = 0;
    int channels_ = 0;
    std::vector<float> data_;
};

}  // namespace raster
