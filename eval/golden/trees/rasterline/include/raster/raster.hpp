#pragma once

// Everything at once.
#include "raster/image.hpp"
#include "raster/ops.hpp"
#include "raster/pipeline.hpp"
#include "raster/pnm.hpp"
#include "raster/thread_pool.hpp"
#include "raster/tile_cache.hpp"
