/**
 * Detects clients that disconnect while the upstream is silent. Listening for disconnects costs more than proxying a small request, so it
 * only applies to requests without a response after {@link moment}.
 */
import type { Exchange } from '@sluice/http-app';
import { guarded, taskOf } from '@sluice/base';

/** Age in milliseconds after which disconnects are watched. */
const moment = 100;

/** A request that is in progress. */
export interface Watched {
  readonly exchange: Exchange;
  /** Index among the young requests; -1 for none. Maintained by the watch. */
  watchedAt: number;
  /** Called when the client has disconnected. */
  onAbort(): void;
}

/**
 * Requests of a thread younger than {@link moment}. Stored in an array because a Set regularly reallocates its table when requests come and
 * go. An old table that V8 has promoted keeps its former elements, and later tables, alive until the next full collection.
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
    // More requests will follow, so use one timer for all of them.
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
