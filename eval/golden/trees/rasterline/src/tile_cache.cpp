#include "raster/tile_cache.hpp"

namespace raster {

TileCache::TilePtr TileCache::get(const Key& key, const std::function<Image()>& compute) {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto found = slots_.find(key);
        if (found == slots_.end()) {
            break;
        }
        if (found->second.tile) {
            recent_.splice(recent_.begin(), recent_, found->second.place);
            return found->second.tile;
        }
        // Somebody else is at it.
        computed_.wait(lock);
    }
    recent_.push_front(key);
    slots_[key] = {nullptr, recent_.begin()};
    lock.unlock();

    TilePtr tile;
    try {
        tile = std::make_shared<const Image>(compute());
    } catch (...) {
        lock.lock();
        recent_.erase(slots_[key].place);
        slots_.erase(key);
        computed_.notify_all();
        throw;
    }

    lock.lock();
    slots_[key].tile = tile;
    bytes_ += tile->bytes();
    evict_over_budget();
    computed_.notify_all();
    return tile;
}

std::size_t TileCache::bytes() const {
    std::lock_guard lock(mutex_);
    return bytes_;
}

/// Tiles that are being computed have no size yet and are never thrown out.
void TileCache::evict_over_budget() {
    auto it = recent_.end();
    while (bytes_ > budget_ && it != recent_.begin()) {
        --it;
        const auto slot = slots_.find(*it);
        if (!slot->second.tile) {
            continue;
        }
        bytes_ -= slot->second.tile->bytes();
        slots_.erase(slot);
        it = recent_.erase(it);
    }
}

}  // namespace raster
