/** Placeholders of request header fields. */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

/** All lines of a field with commas between them; nothing if it is not there. */
export function resolveHeader(rest: string): Accessor<Exchange> {
  const name = rest.toLowerCase();
  return (exchange) => exchange.headers.joined(name) ?? '';
}
