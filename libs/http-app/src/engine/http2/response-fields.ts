/** The head of a response as fields of HTTP/2 (RFC 9113 §8.3.2). */
import { isToken } from '@sluice/base';
import { type HeaderMap, safeValue } from '@sluice/http1';

/** Fields of the connection, which HTTP/2 has no place for (RFC 9113 §8.2.2). */
export const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'http2-settings',
  'sec-websocket-accept',
]);

/**
 * Node sends 200 to 599 only. A WebSocket is open when a status of 2xx says so (RFC 8441 §5): what stands for 101 is 200,
 * and answers of other handlers, who know nothing of WebSockets, must not look like it.
 */
export function wireStatus(status: number, isWebSocket: boolean): number {
  if (isWebSocket && status === 101) return 200;
  if (isWebSocket && status < 300) return 501;
  return status >= 200 && status <= 599 ? status : 500;
}

/** Adds the fields of a response that HTTP/2 has a place for. */
export function addFields(fields: string[], headers: HeaderMap, status: number): void {
  const { names, values } = headers;
  const bodiless = status === 204 || status === 304;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (hopByHop.has(name) || !isToken(name)) continue;
    if (bodiless && name === 'content-length') continue;
    if (name === 'content-type' && (status === 304 || values[i] === '')) continue;
    fields.push(name, safeValue(values[i] as string));
  }
}
