/** Placeholders for a response that `intercept` buffers while its routes run. */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import type { HeaderMap } from '@sluice/http1';

/** Key under which `intercept` stores the response with `Exchange.setPlaceholder`. */
export const interceptedKey = 'http.intercept';

export class Intercepted {
  readonly status: number;
  /** Original fields. */
  readonly headers: HeaderMap;

  constructor(status: number, headers: HeaderMap) {
    this.status = status;
    this.headers = headers;
  }
}

/** Resolves placeholder names that follow `http.intercept.`: `status_code` and `header.<name>`. */
export function resolveIntercepted(rest: string): Accessor<Exchange> | null {
  if (rest === 'status_code') return (exchange) => held(exchange)?.status;
  if (!rest.startsWith('header.')) return null;
  const name = rest.slice('header.'.length).toLowerCase();
  return (exchange) => {
    const intercepted = held(exchange);
    return intercepted === undefined ? undefined : (intercepted.headers.joined(name) ?? '');
  };
}

function held(exchange: Exchange): Intercepted | undefined {
  const value = exchange.placeholder(interceptedKey);
  return value instanceof Intercepted ? value : undefined;
}
