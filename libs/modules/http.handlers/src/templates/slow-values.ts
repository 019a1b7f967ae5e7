/**
 * Template values that are slow to compute: password hashes and private keys. The thread pool computes one value at a time, while the
 * thread serves other requests. A page that needs a value stops, and is executed again when the value is available.
 */
import { HttpError } from '@sluice/http-app';
import { slowFunctions, sprig, type Implementation } from '@sluice/text-template';

/** Error thrown when a page needs a slow value that has not been computed yet. */
export class SlowValueNeeded extends Error {
  readonly key: string;
  readonly compute: () => Promise<string>;

  constructor(key: string, compute: () => Promise<string>) {
    super('a value must be computed first');
    this.name = 'SlowValueNeeded';
    this.key = key;
    this.compute = compute;
  }
}

/** Limits per page: the number of slow values, and the time to wait for them in milliseconds. */
const max = { values: 20, wait: 10_000 };

export class SlowValues {
  readonly #known = new Map<string, string>();
  readonly #end = performance.now() + max.wait;

  /**
   * Returns the template functions for one execution of the page. Calls of these functions are identified by their order, because each
   * execution makes the same calls.
   */
  implementations(): Readonly<Record<string, Implementation>> {
    let calls = 0;
    return Object.fromEntries(
      Object.entries(slowFunctions).map(([name, slow]) => [
        name,
        (...args: readonly never[]): unknown => {
          const compute = slow(...args);
          if (compute === null) return sprig[name]?.call(...args);
          const key = JSON.stringify([calls++, name, ...args]);
          const known = this.#known.get(key);
          if (known === undefined) throw new SlowValueNeeded(key, compute);
          return known;
        },
      ]),
    );
  }

  /** Computes a slow value. Resolves when the page can be executed again. */
  async compute({ key, compute }: SlowValueNeeded, signal: AbortSignal): Promise<void> {
    if (this.#known.size >= max.values)
      throw new HttpError(500, `a page has more than ${max.values} password hashes and private keys`);
    const value = await inTurn(async () => {
      if (signal.aborted) throw new HttpError(500, 'the client disconnected');
      if (performance.now() > this.#end)
        throw new HttpError(
          500,
          `computing the password hashes and private keys of the page takes more than ${max.wait / 1000} s`,
        );
      return compute();
    });
    this.#known.set(key, value);
  }
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs one task at a time. Templates therefore use only one thread of the pool, which also serves file reads. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const run = turn.then(task);
  turn = run.catch(() => undefined);
  return run;
}
