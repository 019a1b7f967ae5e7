/** Attributes of server spans, which follow OpenTelemetry's HTTP semantic conventions. */
import type { Attributes } from '@opentelemetry/api';
import { hostOf, portOf, type Exchange } from '@sluice/http-app';

/** Returns the span attributes that are available when a request starts. */
export function requestAttributes(exchange: Exchange): Attributes {
  const { connection } = exchange;
  const attributes: Attributes = {
    'http.request.method': exchange.method,
    'url.scheme': connection.tls === null ? 'http' : 'https',
    'url.path': exchange.path,
    'server.address': hostOf(exchange.host),
    'network.protocol.version': exchange.proto.slice('HTTP/'.length),
    'network.peer.address': connection.remoteAddress,
    'network.peer.port': connection.remotePort,
    'client.address': exchange.clientIp,
  };
  const port = Number(portOf(exchange.host));
  if (port > 0) attributes['server.port'] = port;
  const agent = exchange.headers.get('user-agent');
  if (agent !== undefined) attributes['user_agent.original'] = agent;
  return attributes;
}
