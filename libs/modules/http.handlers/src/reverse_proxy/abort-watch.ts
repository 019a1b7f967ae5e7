/**
 * Notices clients that go away while their upstream is silent. To listen for that costs more than to proxy a small
 * request, so it is done only for requests that have no response within a moment.
 */
import type { Exchange } from '@sluice/http-app';
import { guarded, taskOf } from '@sluice/base';

/** That moment, in milliseconds. */
const moment = 100;

/** A request that is under way. */
export interface Watched {
  readonly exchange: Exchange;
  /** The client is gone. */
  onAbort(): void;
}

/** The requests of a thread that are younger than a moment. */
export class AbortWatch {
  readonly #young = new Set<Watched>();
  #timer: NodeJS.Timeout | null = null;

  add(watched: Watched): void {
    this.#young.add(watched);
    if (this.#timer !== null) return;
    this.#timer = setTimeout(this.#sweep, moment);
    this.#timer.unref();
  }

  delete(watched: Watched): void {
    this.#young.delete(watched);
  }

  readonly #sweep = guarded(taskOf('http.handlers.reverse_proxy'), () => {
    this.#timer = null;
    if (this.#young.size === 0) return;
    for (const watched of this.#young) listen(watched);
    this.#young.clear();
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
