#include <atomic>
#include <cmath>
#include <sstream>

#include "check.hpp"
#include "raster/raster.hpp"

using namespace raster;

static Image gradient(int width, int height) {
    Image image(width, height, 3);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width * 3; ++x) {
            image.row(y)[x] = float(x) / float(width * 3);
        }
    }
    return image;
}

TEST(tiles_of_a_blur_fit_together_without_seams) {
    const Image image = gradient(600, 300);
    const Image whole = gaussian_blur(image, 5.0f);
    const Image tiled = render(make_blur(make_source(image), 5.0f));
    for (int x = 0; x < 600 * 3; ++x) {
        CHECK(std::abs(whole.row(150)[x] - tiled.row(150)[x]) < 1e-3f);
    }
}

TEST(a_tile_is_computed_once_even_if_many_want_it) {
    TileCache cache(1 << 20);
    ThreadPool pool(8);
    std::atomic<int> computed = 0;
    for (int i = 0; i < 64; ++i) {
        pool.submit([&] {
            cache.get({nullptr, 0, 0}, [&] { ++computed; return Image(16, 16, 1); });
        });
    }
    pool.wait();
    CHECK(computed == 1);
}

TEST(the_tile_cache_evicts_the_least_recently_used_tile) {
    TileCache cache(3 * 16 * 16 * sizeof(float));
    int computed = 0;
    const auto tile = [&](int n) { cache.get({nullptr, n, 0}, [&] { ++computed; return Image(16, 16, 1); }); };
    for (const int n : {1, 2, 3, 1, 4, 1}) tile(n);
    CHECK(computed == 4);
    tile(2);
    CHECK(computed == 5);
}

TEST(a_task_that_throws_stops_the_pool) {
    ThreadPool pool(2);
    pool.submit([] { throw Error("tile"); });
    bool thrown = false;
    try {
        pool.wait();
    } catch (const Error&) {
        thrown = true;
    }
    CHECK(thrown);
}

TEST(truncated_files_are_refused) {
    std::istringstream in("P6\n4 4\n255\nxyz");
    bool thrown = false;
    try {
        read_pnm(in, "short.ppm");
    } catch (const Error& error) {
        thrown = std::string(error.what()).find("file ends after 0 of 4 rows") != std::string::npos;
    }
    CHECK(thrown);
}
