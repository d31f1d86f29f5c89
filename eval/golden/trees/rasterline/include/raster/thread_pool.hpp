#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace raster {

class ThreadPool {
public:
    /// Zero means one thread for each core.
    explicit ThreadPool(int threads);
    ~ThreadPool();

    void submit(std::function<void()> task);

    /// Waits until nothing is queued or running; rethrows the first exception of a task.
    void wait();

private:
    void work();

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable todo_;
    std::condition_variable idle_;
    std::deque<std::function<void()>> queue_;
    int running_ = 0;
    bool stopping_ = false;
    std::exception_ptr failure_;
};

}  // namespace raster
