/** Request fields as matchers see them: the host is one of them, though it is kept apart. */
import type { Exchange } from '@sluice/http-app';

/** Calls `test` with each value of a field until it says yes. `name` is in lower case. */
export function someValue(
  exchange: Exchange,
  name: string,
  test: (value: string, exchange: Exchange) => boolean,
): boolean {
  if (name === 'host') return exchange.host !== '' && test(exchange.host, exchange);
  const { names, values } = exchange.headers;
  for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1))
    if (test(values[at] as string, exchange)) return true;
  return false;
}

/** Whether a field is there. */
export function hasField(exchange: Exchange, name: string): boolean {
  return name === 'host' ? exchange.host !== '' : exchange.headers.has(name);
}
