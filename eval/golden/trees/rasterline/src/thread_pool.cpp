#include "raster/thread_pool.hpp"

#include <algorithm>
#include <utility>

namespace raster {

ThreadPool::ThreadPool(int threads) {
    const int count = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    for (int i = 0; i < count; ++i) {
        threads_.emplace_back([this] { work(); });
    }
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    todo_.notify_all();
    for (auto& thread : threads_) {
        thread.join();
    }
}

void ThreadPool::submit(std::function<void()> task) {
    {
        std::lock_guard lock(mutex_);
        queue_.push_back(std::move(task));
    }
    todo_.notify_one();
}

void ThreadPool::wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return queue_.empty() && running_ == 0; });
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        todo_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) {
            return;
        }
        auto task = std::move(queue_.front());
        queue_.pop_front();
        ++running_;
        lock.unlock();
        std::exception_ptr failure;
        try {
            task();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        --running_;
        if (failure && !failure_) {
            failure_ = failure;
            queue_.clear();
        }
        if (queue_.empty() && running_ == 0) {
            idle_.notify_all();
        }
    }
}

}  // namespace raster
