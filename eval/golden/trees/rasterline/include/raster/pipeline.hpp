#pragma once

#include <memory>
#include <string>
#include <vector>

#include "raster/image.hpp"

namespace raster {

/// Produces any part of a picture on demand.
class Stage {
public:
    virtual ~Stage() = default;
    virtual Rect bounds() const = 0;
    virtual int channels() const = 0;
    virtual Image produce(const Rect& area) = 0;
    virtual std::string name() const = 0;
};

using StagePtr = std::shared_ptr<Stage>;

StagePtr make_source(Image image);
StagePtr make_resize(StagePtr input, int width, int height);
StagePtr make_blur(StagePtr input, float sigma);
StagePtr make_crop(StagePtr input, const Rect& area);
StagePtr make_gray(StagePtr input);
StagePtr make_equalize(StagePtr input);

/// "resize=1200x", "blur=2.5" and so on; throws Error for anything else.
StagePtr parse_stage(const std::string& text, StagePtr input);

struct RenderOptions {
    int threads = 0;
    std::size_t cache_bytes = std::size_t(256) << 20;
};

/// Pulls every tile of the last stage through the pipeline.
Image render(StagePtr last, const RenderOptions& options = {});

}  // namespace raster
