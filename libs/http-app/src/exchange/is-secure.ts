import type { Exchange } from './exchange.ts';

/** Reports whether the client uses HTTPS, either directly or according to a trusted proxy. */
export function isSecure(exchange: Exchange): boolean {
  if (exchange.connection.tls !== null) return true;
  return exchange.headers.get('x-forwarded-proto') === 'https' && (exchange.server?.isTrustedProxy(exchange) ?? false);
}
