#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "raster/raster.hpp"

namespace {

std::size_t cache_budget() {
    const char* text = std::getenv("RASTERLINE_CACHE_MB");
    if (!text) {
        return std::size_t(256) << 20;
    }
    char* end = nullptr;
    const long mb = std::strtol(text, &end, 10);
    if (*end != '\0' || mb < 1) {
        throw raster::Error("RASTERLINE_CACHE_MB must be a positive number");
    }
    return std::size_t(mb) << 20;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (args.size() < 2) {
        std::cerr << "usage: rasterline IN [OPERATION...] OUT\n";
        return 2;
    }
    try {
        const auto start = std::chrono::steady_clock::now();
        auto stage = raster::make_source(raster::load_pnm(args.front()));
        for (std::size_t i = 1; i + 1 < args.size(); ++i) {
            stage = raster::parse_stage(args[i], stage);
        }
        raster::RenderOptions options;
        options.cache_bytes = cache_budget();
        raster::save_pnm(raster::render(stage, options), args.back());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::cerr << "wrote " << args.back() << " in " << took.count() << " s\n";
    } catch (const raster::Error& error) {
        std::cerr << "rasterline: " << error.what() << '\n';
        return 1;
    } catch (const std::bad_alloc&) {
        std::cerr << "rasterline: out of memory; try a smaller RASTERLINE_CACHE_MB\n";
        return 1;
    }
}
