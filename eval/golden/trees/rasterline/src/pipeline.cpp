#include "raster/pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "raster/ops.hpp"
#include "raster/thread_pool.hpp"
#include "raster/tile_cache.hpp"

namespace raster {
namespace {

class Source : public Stage {
public:
    explicit Source(Image image) : image_(std::move(image)) {}
    Rect bounds() const override { return {0, 0, image_.width(), image_.height()}; }
    int channels() const override { return image_.channels(); }
    Image produce(const Rect& area) override { return image_.cropped(area); }
    std::string name() const override { return "source"; }

private:
    Image image_;
};

class Resize : public Stage {
public:
    Resize(StagePtr input, int width, int height) : input_(std::move(input)), width_(width), height_(height) {}
    Rect bounds() const override { return {0, 0, width_, height_}; }
    int channels() const override { return input_->channels(); }
    std::string name() const override { return "resize"; }

    Image produce(const Rect& area) override {
        const Rect whole = input_->bounds();
        const float sx = float(whole.width) / float(width_);
        const float sy = float(whole.height) / float(height_);
        const Rect core{int(area.x * sx), int(area.y * sy), int(std::ceil(area.width * sx)),
                        int(std::ceil(area.height * sy))};
        const Rect needed = core.grown(kernel_reach(std::max(sx, sy))).clipped(whole);
        const Image piece = input_->produce(needed);
        const Image scaled = resample(piece, std::max(1, int(std::lround(needed.width / sx))),
                                      std::max(1, int(std::lround(needed.height / sy))));
        const int dx = area.x - int(std::lround(needed.x / sx));
        const int dy = area.y - int(std::lround(needed.y / sy));
        return scaled.cropped({dx, dy, area.width, area.height});
    }

private:
    StagePtr input_;
    int width_;
    int height_;
};

class Blur : public Stage {
public:
    Blur(StagePtr input, float sigma) : input_(std::move(input)), sigma_(sigma) {}
    Rect bounds() const override { return input_->bounds(); }
    int channels() const override { return input_->channels(); }
    std::string name() const override { return "blur"; }

    Image produce(const Rect& area) override {
        const int apron = int(std::ceil(3.0f * sigma_));
        const Rect needed = area.grown(apron).clipped(bounds());
        const Image blurred = gaussian_blur(input_->produce(needed), sigma_);
        return blurred.cropped({area.x - needed.x, area.y - needed.y, area.width, area.height});
    }

private:
    StagePtr input_;
    float sigma_;
};

class Crop : public Stage {
public:
    Crop(StagePtr input, const Rect& area) : input_(std::move(input)), area_(area.clipped(input_->bounds())) {
        if (area_.empty()) {
            throw Error("crop: nothing is left of the picture");
        }
    }
    Rect bounds() const override { return {0, 0, area_.width, area_.height}; }
    int channels() const override { return input_->channels(); }
    std::string name() const override { return "crop"; }
    Image produce(const Rect& area) override {
        return input_->produce({area.x + area_.x, area.y + area_.y, area.width, area.height});
    }

private:
    StagePtr input_;
    Rect area_;
};

class Gray : public Stage {
public:
    explicit Gray(StagePtr input) : input_(std::move(input)) {}
    Rect bounds() const override { return input_->bounds(); }
    int channels() const override { return input_->channels(); }
    std::string name() const override { return "gray"; }
    Image produce(const Rect& area) override {
        Image image = input_->produce(area);
        to_gray(image);
        return image;
    }

private:
    StagePtr input_;
};

/// Needs to know the whole picture; a quarter of a megapixel of it is enough.
class Equalize : public Stage {
public:
    explicit Equalize(StagePtr input) : input_(std::move(input)) {}
    Rect bounds() const override { return input_->bounds(); }
    int channels() const override { return input_->channels(); }
    std::string name() const override { return "equalize"; }
    Image produce(const Rect& area) override {
        std::call_once(surveyed_, [this] { survey(); });
        Image image = input_->produce(area);
        equalize(image, tables_);
        return image;
    }

private:
    void survey() {
        const Rect whole = bounds();
        const float shrink = std::sqrt(float(whole.width) * float(whole.height) / (512.0f * 512.0f));
        StagePtr overview = input_;
        if (shrink > 1.0f) {
            overview = make_resize(input_, std::max(1, int(whole.width / shrink)),
                                   std::max(1, int(whole.height / shrink)));
        }
        tables_ = cumulative_histogram(overview->produce(overview->bounds()));
    }

    StagePtr input_;
    std::once_flag surveyed_;
    std::vector<std::array<float, 256>> tables_;
};

}  // namespace

StagePtr make_source(Image image) { return std::make_shared<Source>(std::move(image)); }
StagePtr make_resize(StagePtr input, int width, int height) {
    return std::make_shared<Resize>(std::move(input), width, height);
}
StagePtr make_blur(StagePtr input, float sigma) { return std::make_shared<Blur>(std::move(input), sigma); }
StagePtr make_crop(StagePtr input, const Rect& area) { return std::make_shared<Crop>(std::move(input), area); }
StagePtr make_gray(StagePtr input) { return std::make_shared<Gray>(std::move(input)); }
StagePtr make_equalize(StagePtr input) { return std::make_shared<Equalize>(std::move(input)); }

StagePtr parse_stage(const std::string& text, StagePtr input) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    const Rect whole = input->bounds();
    int w = 0, h = 0, x = 0, y = 0;
    float sigma = 0;
    if (name == "resize") {
        if (std::sscanf(value.c_str(), "%dx%d", &w, &h) < 1 && std::sscanf(value.c_str(), "x%d", &h) != 1) {
            throw Error("resize: expected WxH, Wx or xH, got \"" + value + "\"");
        }
        if (w == 0) w = int(std::lround(double(whole.width) * h / whole.height));
        if (h == 0) h = int(std::lround(double(whole.height) * w / whole.width));
        return make_resize(std::move(input), w, h);
    }
    if (name == "blur" && std::sscanf(value.c_str(), "%f", &sigma) == 1 && sigma > 0) {
        return make_blur(std::move(input), sigma);
    }
    if (name == "crop" && std::sscanf(value.c_str(), "%dx%d+%d+%d", &w, &h, &x, &y) == 4) {
        return make_crop(std::move(input), {x, y, w, h});
    }
    if (name == "gray") return make_gray(std::move(input));
    if (name == "equalize") return make_equalize(std::move(input));
    throw Error("unknown operation \"" + text + "\"");
}

Image render(StagePtr last, const RenderOptions& options) {
    const Rect whole = last->bounds();
    Image result(whole.width, whole.height, last->channels());
    TileCache cache(options.cache_bytes);
    ThreadPool pool(options.threads);
    for (int ty = 0; ty < whole.height; ty += kTileSize) {
        for (int tx = 0; tx < whole.width; tx += kTileSize) {
            pool.submit([&, tx, ty] {
                const Rect area = Rect{tx, ty, kTileSize, kTileSize}.clipped(whole);
                const auto tile = cache.get({last.get(), tx, ty}, [&] { return last->produce(area); });
                for (int y = 0; y < area.height; ++y) {
                    std::memcpy(result.row(area.y + y) + area.x * result.channels(), tile->row(y),
                                sizeof(float) * area.width * result.channels());
                }
            });
        }
    }
    pool.wait();
    return result;
}

}  // namespace raster
