/** Many explanations for one client: other work of the thread has its turn between them, and they end when the client leaves. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { AdminResponse } from '@sluice/registry';

/** How long the explanations of one request may take, in milliseconds. */
const longest = 20_000;

/** The turns of one request to the admin API. */
export class Turns {
  readonly #response: AdminResponse;
  readonly #end = performance.now() + longest;

  constructor(response: AdminResponse) {
    this.#response = response;
  }

  /** Throws if no one waits for the response any more, or it has taken too long. */
  check(): void {
    if (this.#response.destroyed)
      throw new SluiceError('ERR_EXPLAIN_REQUEST', 'the client has left before the explanation was made', {
        status: 499,
      });
    if (performance.now() > this.#end) {
      const message = `the explanations take more than ${longest / 1000} s: ask for fewer at once`;
      throw new SluiceError('ERR_EXPLAIN_REQUEST', message, { status: 503 });
    }
  }

  /** Lets other work run, then checks. */
  async next(): Promise<void> {
    await nextTurn();
    this.check();
  }
}
