/** Requests that refresh a stored response in the background, without a client (RFC 5861 §3). */
import { taskOf, unawaited } from '@sluice/base';
import { attachmentKey, Exchange, type ConnectionInfo } from '@sluice/http-app';
import { NullResponse } from './null-response.ts';
import type { Stored } from './store/stored.ts';

/** Conditional request headers. They refer to the client's copy of a response. */
export const conditionFields: readonly string[] = ['if-none-match', 'if-modified-since'];

/** Attachment key for the stored response that a background request refreshes. */
export const refreshed = attachmentKey<Stored>('http.handlers.cache.refreshed');

/** Request headers that only affect the response to the client. */
const ownFields = ['range', 'if-range', 'cache-control', 'pragma', ...conditionFields];

const task = taskOf('http.handlers.cache');

/** Sends a copy of the client's request through all handlers of the server, to refresh a stored response. */
export function refresh(exchange: Exchange, stored: Stored): void {
  const { server, connection } = exchange;
  if (server === null) return;
  const headers = exchange.originalHeaders.clone();
  for (const name of ownFields) headers.delete(name);
  const response = new NullResponse();
  const peer: ConnectionInfo = {
    remoteAddress: connection.remoteAddress,
    remotePort: connection.remotePort,
    localAddress: connection.localAddress,
    localPort: connection.localPort,
    unix: connection.unix,
    tls: connection.tls,
    upgrade: () => null,
    destroy: () => {
      response.broken = 'the response was truncated';
    },
  };
  const part = new Exchange(
    {
      method: 'GET',
      rawPath: exchange.originalRawPath,
      query: exchange.originalQuery,
      proto: exchange.proto,
      host: exchange.originalHost,
      headers,
    },
    peer,
    response,
  );
  part.attach(refreshed, stored);
  part.setVariable('log_skip', true);
  const pending = server.handle(part);
  if (pending !== undefined) unawaited(task, pending);
}
