/** Access to request fields for matchers. Includes Host and Transfer-Encoding, which exchanges store separately. */
import type { Exchange } from '@sluice/http-app';

/** Calls `test` with each value of a field until `test` returns true. `name` is in lower case. */
export function someValue(
  exchange: Exchange,
  name: string,
  test: (value: string, exchange: Exchange) => boolean,
): boolean {
  const special = specialField(exchange, name);
  if (special !== null) return test(special, exchange);
  return exchange.headers.someValue(name, test, exchange);
}

export function hasField(exchange: Exchange, name: string): boolean {
  return specialField(exchange, name) !== null || exchange.headers.has(name);
}

/** Returns Host or Transfer-Encoding, which exchanges store separately. Returns `null` for other fields, or if the field is missing. */
function specialField(exchange: Exchange, name: string): string | null {
  if (name === 'host') return exchange.host === '' ? null : exchange.host;
  if (name !== 'transfer-encoding') return null;
  // An HTTP/1.1 body of unknown length is chunked. Later versions have no Transfer-Encoding (RFC 9113 §8.2.2).
  return exchange.body.length < 0 && exchange.proto.startsWith('HTTP/1.') ? 'chunked' : null;
}
