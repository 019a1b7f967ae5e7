/**
 * Notices clients that go away while their upstream is silent. To listen for that costs more than to proxy a small
 * request, so it is done only for requests that have no response within a moment.
 */
import type { Exchange } from '@sluice/http-app';
import { guarded, taskOf } from '@sluice/base';

/** That moment, in milliseconds. */
const moment = 100;

/** A request that is in progress. */
export interface Watched {
  readonly exchange: Exchange;
  /** Its place among the young ones; -1 for none. Kept by the watch. */
  watchedAt: number;
  /** The client is gone. */
  onAbort(): void;
}

/**
 * The requests of a thread that are younger than a moment. They are in an array, as each comes and goes: a Set makes itself
 * another table after every few of them, and the table before, once it is among V8's old objects, keeps those that were
 * in it, and the tables after it, until the next full collection.
 */
export class AbortWatch {
  #young: Watched[] = [];
  #timer: NodeJS.Timeout | null = null;

  add(watched: Watched): void {
    watched.watchedAt = this.#young.length;
    this.#young.push(watched);
    if (this.#timer !== null) return;
    this.#timer = setTimeout(this.#sweep, moment);
    this.#timer.unref();
  }

  delete(watched: Watched): void {
    const at = watched.watchedAt;
    if (at < 0) return;
    watched.watchedAt = -1;
    const last = this.#young.pop() as Watched;
    if (last === watched) return;
    this.#young[at] = last;
    last.watchedAt = at;
  }

  readonly #sweep = guarded(taskOf('http.handlers.reverse_proxy'), () => {
    this.#timer = null;
    const young = this.#young;
    if (young.length === 0) return;
    this.#young = [];
    for (const watched of young) {
      watched.watchedAt = -1;
      listen(watched);
    }
    // Others will come soon: a timer that is set once for many costs nothing.
    this.#timer = setTimeout(this.#sweep, moment);
    this.#timer.unref();
  });
}

function listen(watched: Watched): void {
  const { signal } = watched.exchange;
  const onAbort = guarded(watched.exchange, () => watched.onAbort());
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
}
