/** Asynchronous values that a page needs. The page is executed again each time a value becomes available. */
import type { Exchange } from '@sluice/http-app';
import { includeByRequest, IncludeNeeded } from './http-include.ts';
import { SlowValueNeeded, SlowValues } from './slow-values.ts';

/** Error thrown to stop a page until a value is available. The page is then executed again. */
export type Needed = IncludeNeeded | SlowValueNeeded;

/** Reports whether an error is a {@link Needed} value. */
export function isNeeded(error: unknown): error is Needed {
  return error instanceof IncludeNeeded || error instanceof SlowValueNeeded;
}

/** Asynchronous values of one page, shared by all executions of the page. */
export class PageNeeds {
  /** Responses to `httpInclude`. */
  readonly included = new Map<string, string>();
  /** Password hashes and private keys, which take a long time to compute. */
  readonly slow = new SlowValues();
  /** Total time of all executions of the page, in milliseconds. */
  spent = 0;

  /** Obtains a needed value. Resolves when the page can be executed again. */
  async fetch(needed: Needed, exchange: Exchange): Promise<void> {
    if (needed instanceof SlowValueNeeded) await this.slow.compute(needed, exchange.signal);
    else this.included.set(needed.uri, await includeByRequest(exchange, needed.uri));
  }
}
