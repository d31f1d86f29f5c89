#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "raster/image.hpp"

namespace raster {

constexpr int kTileSize = 256;

/// Finished tiles, the most recently used ones first.
class TileCache {
public:
    using Key = std::tuple<const void*, int, int>;
    using TilePtr = std::shared_ptr<const Image>;

    explicit TileCache(std::size_t budget) : budget_(budget) {}

    /// Gives the tile, computing it if needed. Never computes one twice at the same time.
    TilePtr get(const Key& key, const std::function<Image()>& compute);

    std::size_t bytes() const;

private:
    struct Slot {
        TilePtr tile;
        std::list<Key>::iterator place;
    };

    void evict_over_budget();

    const std::size_t budget_;
    mutable std::mutex mutex_;
    std::condition_variable computed_;
    std::map<Key, Slot> slots_;
    std::list<Key> recent_;
    std::size_t bytes_ = 0;
};

}  // namespace raster
