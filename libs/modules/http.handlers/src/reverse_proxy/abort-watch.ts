/**
 * Detects clients that disconnect while the upstream does not respond. Listening for disconnects costs more than proxying a small request,
 * so it only starts after {@link moment}.
 */
import type { Exchange } from '@sluice/http-app';
import { guarded, taskOf } from '@sluice/base';

/** Time after which disconnects are detected, in milliseconds. */
const moment = 100;

export interface Watched {
  readonly exchange: Exchange;
  /** Index in the array of recent requests, or -1. Only the watch changes this value. */
  watchedAt: number;
  /** Called when the client has disconnected. */
  onAbort(): void;
}

/**
 * Requests of a thread that are younger than {@link moment}. They are stored in an array, not in a Set. A Set reallocates its table when
 * requests come and go, and old tables keep finished requests alive until the next full garbage collection.
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
    // A single timer serves all requests, because more requests will follow.
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
