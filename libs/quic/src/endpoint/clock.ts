/** Time, as endpoints see it: that of the event loop, or that of a simulation. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Calls back at a moment of {@link now} or a little later. Returns the function that cancels it. */
  at(time: number, callback: () => void): () => void;
  /** Calls back at the end of the turn. Returns the function that cancels it. */
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
