/**
 * Values of templates that take long: password hashes and private keys. They are computed in the thread pool of the process,
 * one at a time, while the thread serves others; a page that needs a value stops, and is run again when the value is there.
 */
import { HttpError } from '@sluice/http-app';
import { slowFunctions, sprig, type Implementation } from '@sluice/text-template';

/** Raised where a page needs a value that is not there yet. */
export class SlowValueNeeded extends Error {
  readonly key: string;
  readonly compute: () => Promise<string>;

  constructor(key: string, compute: () => Promise<string>) {
    super('a value is computed first');
    this.name = 'SlowValueNeeded';
    this.key = key;
    this.compute = compute;
  }
}

/** Slow values that one page may need, and how long it may wait for them, in milliseconds. */
const max = { values: 20, wait: 10_000 };

/** The values of one page. */
export class SlowValues {
  readonly #known = new Map<string, string>();
  readonly #end = performance.now() + max.wait;

  /** Implementations for one attempt. Calls are distinguished by their order: a page that is run again makes the same ones. */
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

  /** Computes a value; resolves when the page can be run again. */
  async compute({ key, compute }: SlowValueNeeded, signal: AbortSignal): Promise<void> {
    if (this.#known.size >= max.values)
      throw new HttpError(500, `a page has more than ${max.values} password hashes and private keys`);
    const value = await inTurn(async () => {
      if (signal.aborted) throw new HttpError(500, 'the client has left');
      if (performance.now() > this.#end)
        throw new HttpError(500, `the password hashes and private keys of a page take more than ${max.wait / 1000} s`);
      return compute();
    });
    this.#known.set(key, value);
  }
}

let turn: Promise<unknown> = Promise.resolve();

/** One thread of the pool, which also reads files, computes for templates. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const run = turn.then(task);
  turn = run.catch(() => undefined);
  return run;
}
