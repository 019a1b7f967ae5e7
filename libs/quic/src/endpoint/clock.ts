/** The endpoint clock: the event loop, or a simulation. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Calls back at or shortly after `time`. Returns a function that cancels the call. */
  at(time: number, callback: () => void): () => void;
  /** Schedules a callback for the end of the event loop turn. Returns a function that cancels the callback. */
  soon(callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  at(time, callback) {
    const timer = setTimeout(callback, Math.max(0, Math.ceil(time - performance.now()))).unref();
    return () => clearTimeout(timer);
  },
  soon(callback) {
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};
