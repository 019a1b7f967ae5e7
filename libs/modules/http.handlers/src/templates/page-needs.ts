/** Asynchronous values that a page needs. The page runs again when more values are available. */
import type { Exchange } from '@sluice/http-app';
import { includeByRequest, IncludeNeeded } from './http-include.ts';
import { SlowValueNeeded, SlowValues } from './slow-values.ts';

/** Thrown by a page that must run again once a value is available. */
export type Needed = IncludeNeeded | SlowValueNeeded;

/** Reports whether an error is a {@link Needed} value. */
export function isNeeded(error: unknown): error is Needed {
  return error instanceof IncludeNeeded || error instanceof SlowValueNeeded;
}

/** Values needed by one page, for all of its runs. */
export class PageNeeds {
  /** Responses to `httpInclude`. */
  readonly included = new Map<string, string>();
  /** Password hashes and keys. */
  readonly slow = new SlowValues();
  /** Total time of all runs, in milliseconds. */
  spent = 0;

  /** Resolves when the page can run again. */
  async fetch(needed: Needed, exchange: Exchange): Promise<void> {
    if (needed instanceof SlowValueNeeded) await this.slow.compute(needed, exchange.signal);
    else this.included.set(needed.uri, await includeByRequest(exchange, needed.uri));
  }
}
