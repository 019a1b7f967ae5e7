/** Approximate request sizes. */
import type { Exchange } from '../exchange/exchange.ts';

/** Returns the request size in bytes: method, target, protocol, header fields and declared body, without separators. */
export function requestSize(exchange: Exchange): number {
  const { names, values } = exchange.headers;
  let size =
    exchange.originalMethod.length + exchange.originalRawPath.length + exchange.proto.length + exchange.host.length;
  if (exchange.originalQuery !== null) size += exchange.originalQuery.length + 1;
  for (const name of names) size += name.length;
  for (const value of values) size += value.length;
  return exchange.body.length > 0 ? size + exchange.body.length : size;
}
