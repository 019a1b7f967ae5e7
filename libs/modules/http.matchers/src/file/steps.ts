/** Work that waits only where it must: the disk returns at once, other file systems may not. */

/** A computation that yields what it has to wait for, and is given the result. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Gives a value, after waiting for it if it is a promise. Use it as `yield* settled(…)`. */
export function* settled<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Runs a computation; the result is a promise only if something had to be waited for. */
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
