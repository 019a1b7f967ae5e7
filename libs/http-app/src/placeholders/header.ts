/** Placeholders of request header fields. */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

/** Returns an accessor that joins all lines of a header field with commas. Its value is empty if the field is missing. */
export function resolveHeader(rest: string): Accessor<Exchange> {
  const name = rest.toLowerCase();
  return (exchange) => exchange.headers.joined(name) ?? '';
}
