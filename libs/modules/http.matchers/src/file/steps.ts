/** Computations that run synchronously unless they have to wait. Disk access is synchronous, while other file systems may be asynchronous. */

/** A computation as a generator, which yields promises and receives their results. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Returns a value, after waiting for it if it is a promise. Use as `yield* settled(…)`. */
export function* settled<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs a computation. Returns a promise only if the computation has to wait. */
export function run<T>(steps: Steps<T>): T | Promise<T> {
  const step = steps.next();
  return step.done === true ? step.value : runLater(steps, step.value);
}

async function runLater<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  for (let pending = first; ;) {
    const [value, failed] = await pending.then(
      (result) => [result, false] as const,
      (error: unknown) => [error, true] as const,
    );
    const step = failed ? steps.throw(value) : steps.next(value);
    if (step.done === true) return step.value;
    pending = step.value;
  }
}
