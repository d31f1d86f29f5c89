#include "raster/pnm.hpp"

#include <cctype>
#include <fstream>
#include <istream>
#include <vector>

#include "raster/ops.hpp"

namespace raster {
namespace {

/// Skips blanks and comments, then reads digits.
int read_number(std::istream& in, const std::string& name) {
    int c = in.get();
    while (std::isspace(c) || c == '#') {
        if (c == '#') {
            while (c != '\n' && c != EOF) {
                c = in.get();
            }
        }
        c = in.get();
    }
    if (!std::isdigit(c)) {
        throw Error(name + ": header is broken, expected a number");
    }
    int value = 0;
    for (; std::isdigit(c); c = in.get()) {
        value = value * 10 + (c - '0');
        if (value > 1'000'000) {
            throw Error(name + ": header holds an absurd number");
        }
    }
    return value;
}

}  // namespace

Image read_pnm(std::istream& in, const std::string& name) {
    const int p = in.get();
    const int kind = in.get();
    if (p != 'P' || (kind != '5' && kind != '6')) {
        throw Error(name + ": not a binary PGM or PPM file");
    }
    const int channels = kind == '6' ? 3 : 1;
    const int width = read_number(in, name);
    const int height = read_number(in, name);
    const int depth = read_number(in, name);
    if (depth != 255) {
        throw Error(name + ": only 8 bits per channel are supported, maximum is " + std::to_string(depth));
    }
    Image image(width, height, channels);
    std::vector<unsigned char> line(std::size_t(width) * channels);
    for (int y = 0; y < height; ++y) {
        in.read(reinterpret_cast<char*>(line.data()), std::streamsize(line.size()));
        if (in.gcount() != std::streamsize(line.size())) {
            throw Error(name + ": file ends after " + std::to_string(y) + " of " + std::to_string(height) + " rows");
        }
        float* out = image.row(y);
        for (std::size_t i = 0; i < line.size(); ++i) {
            out[i] = srgb_to_linear(line[i]);
        }
    }
    return image;
}

Image load_pnm(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw Error(path + ": cannot open");
    }
    return read_pnm(in, path);
}

void save_pnm(const Image& image, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    out << (image.channels() == 3 ? "P6\n" : "P5\n")
        << image.width() << ' ' << image.height() << "\n255\n";
    std::vector<unsigned char> line(std::size_t(image.width()) * image.channels());
    for (int y = 0; y < image.height(); ++y) {
        const float* in = image.row(y);
        for (std::size_t i = 0; i < line.size(); ++i) {
            line[i] = linear_to_srgb(in[i]);
        }
        out.write(reinterpret_cast<const char*>(line.data()), std::streamsize(line.size()));
    }
    if (!out.flush()) {
        throw Error(path + ": writing failed, is the disk full?");
    }
}

}  // namespace raster
