#pragma once

#include <iosfwd>
#include <string>

#include "raster/image.hpp"

namespace raster {

Image read_pnm(std::istream& in, const std::string& name);
Image load_pnm(const std::string& path);
void save_pnm(const Image& image, const std::string& path);

}  // namespace raster
