/** Placeholders of request header fields. */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

/** Joins all lines of a field with commas; empty if the field is missing. */
export function resolveHeader(rest: string): Accessor<Exchange> {
  const name = rest.toLowerCase();
  return (exchange) => exchange.headers.joined(name) ?? '';
}
