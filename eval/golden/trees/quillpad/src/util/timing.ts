export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function randomBetween(low: number, high: number): number {
  return low + Math.random() * (high - low);
}

/** Calls once things have been quiet for a while; `flush` calls now if a call is waiting. */
export function debounce(run: () => void, quiet: number) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const later = () => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      run();
    }, quiet);
  };
  later.flush = () => {
    if (timer) {
      clearTimeout(timer);
      timer = null;
      run();
    }
  };
  return later;
}

/** At most one call in a stretch of time; the last one is never lost. */
export function throttle<A extends unknown[]>(run: (...args: A) => void, every: number) {
  let last = 0;
  let waiting: A | null = null;
  return (...args: A) => {
    const now = Date.now();
    if (now - last >= every) {
      last = now;
      run(...args);
    } else {
      if (!waiting) {
        setTimeout(() => {
          last = Date.now();
          run(...waiting!);
          waiting = null;
        }, every - (now - last));
      }
      waiting = args;
    }
  };
}
