#include "raster/image.hpp"

#include <algorithm>
#include <cstring>

namespace raster {

Rect Rect::clipped(const Rect& to) const {
    const int left = std::max(x, to.x);
    const int top = std::max(y, to.y);
    return {left, top, std::min(right(), to.right()) - left, std::min(bottom(), to.bottom()) - top};
}

Image::Image(int width, int height, int channels)
    : width_(width), height_(height), channels_(channels) {
    if (width <= 0 || height <= 0 || channels <= 0) {
        throw Error("an image needs a positive size");
    }
    constexpr std::size_t most = std::size_t(1) << 34;
    if (std::size_t(width) > most / height / channels) {
        throw Error("image of " + std::to_string(width) + "x" + std::to_string(height) + " is too large");
    }
    data_.resize(std::size_t(width) * height * channels);
}

float Image::at_clamped(int x, int y, int channel) const {
    x = std::clamp(x, 0, width_ - 1);
    y = std::clamp(y, 0, height_ - 1);
    return row(y)[x * channels_ + channel];
}

Image Image::cropped(const Rect& area) const {
    const Rect inside = area.clipped({0, 0, width_, height_});
    if (inside.empty()) {
        throw Error("the crop lies outside of the image");
    }
    Image result(inside.width, inside.height, channels_);
    for (int y = 0; y < inside.height; ++y) {
        std::memcpy(result.row(y), row(inside.y + y) + inside.x * channels_,
                    sizeof(float) * inside.width * channels_);
    }
    return result;
}

}  // namespace raster
