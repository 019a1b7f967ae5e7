/** What a page has needed so far beside its text. It is run again from its beginning when more of it is there. */
import type { Exchange } from '@sluice/http-app';
import { includeByRequest, IncludeNeeded } from './http-include.ts';
import { SlowValueNeeded, SlowValues } from './slow-values.ts';

/** Raised by a page that is run again when it has what it needs. */
export type Needed = IncludeNeeded | SlowValueNeeded;

/** Tells that from other errors. */
export function isNeeded(error: unknown): error is Needed {
  return error instanceof IncludeNeeded || error instanceof SlowValueNeeded;
}

/** All attempts of one page share it. */
export class PageNeeds {
  /** Responses to `httpInclude`. */
  readonly included = new Map<string, string>();
  /** Password hashes and keys. */
  readonly slow = new SlowValues();
  /** Milliseconds that attempts have taken. */
  spent = 0;

  /** Resolves when the page can be run again. */
  async fetch(needed: Needed, exchange: Exchange): Promise<void> {
    if (needed instanceof SlowValueNeeded) await this.slow.compute(needed, exchange.signal);
    else this.included.set(needed.uri, await includeByRequest(exchange, needed.uri));
  }
}
