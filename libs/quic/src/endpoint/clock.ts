/** Clock of a QUIC endpoint. Implemented by the event loop, and by a simulation in tests. */
export interface Clock {
  /** Returns the monotonic time in milliseconds. */
  now(): number;
  /** Schedules a callback at `time` or shortly after. Returns a function that cancels it. */
  at(time: number, callback: () => void): () => void;
  /** Schedules a callback at the end of the event loop turn. Returns a function that cancels it. */
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
