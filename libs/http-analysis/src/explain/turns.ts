/** Interleaves many explanations for one client with other work of the thread. Stops the explanations when the client disconnects. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { AdminResponse } from '@sluice/registry';

/** Maximum duration of all explanations for one API request, in milliseconds. */
const maxRun = 20_000;

/** Spreads the work of one admin API request over several event loop turns. */
export class Turns {
  readonly #response: AdminResponse;
  readonly #end = performance.now() + maxRun;

  constructor(response: AdminResponse) {
    this.#response = response;
  }

  /** Throws if the client has disconnected or the time limit is exceeded. */
  check(): void {
    if (this.#response.destroyed)
      throw new SluiceError('ERR_EXPLAIN_REQUEST', 'the client disconnected before the explanation was complete', {
        status: 499,
      });
    if (performance.now() > this.#end) {
      const message = `the explanations take more than ${maxRun / 1000} s: request fewer explanations`;
      throw new SluiceError('ERR_EXPLAIN_REQUEST', message, { status: 503 });
    }
  }

  /** Yields to other work. Afterwards, checks the client connection and the time limit. */
  async next(): Promise<void> {
    await nextTurn();
    this.check();
  }
}
