/** What an exchange remembers of being proxied. */
import type { Accessor } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '../exchange/headers.ts';

/** An answer of an upstream that waits while `handle_response` routes run. */
export interface HeldResponse {
  readonly status: number;
  /** All fields as they came. */
  readonly headers: HeaderMap;
  /** Writes the answer with this status to the client. Once only. */
  pass(exchange: Exchange, status: number): Promise<void>;
}

/** Put into `Exchange.proxied` by the reverse proxy. */
export interface ProxyFacts {
  /** The value of `{http.reverse_proxy.<name>}`, `undefined` if there is none (now). */
  placeholder(name: string): unknown;
  /** The answer that waits, or `null`. */
  readonly held: HeldResponse | null;
}

/** Resolves what follows `http.reverse_proxy.`. */
export function resolveProxied(rest: string): Accessor<Exchange> {
  return (exchange) => exchange.proxied?.placeholder(rest);
}
