/** The head of a response as fields of HTTP/2 (RFC 9113 §8.3.2). */
import { type HeaderMap, responseField, safeValue } from '@sluice/http1';

/** Fields of the connection, which HTTP/2 has no place for (RFC 9113 §8.2.2). */
const hopByHop: ReadonlySet<string> = new Set([
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
 * A WebSocket is open when a status of 2xx says so (RFC 8441 §5): what stands for 101 is 200, and responses of other
 * handlers, who know nothing of WebSockets, must not look like it. A status has three digits.
 */
export function wireStatus(status: number, isWebSocket: boolean): number {
  if (isWebSocket && status === 101) return 200;
  if (isWebSocket && status < 300) return 501;
  return status >= 200 && status <= 999 ? status : 500;
}

/** Adds the fields of a response that HTTP/2 has a place for. */
export function addFields(fields: string[], headers: HeaderMap, status: number): void {
  for (let i = 0; i < headers.size; i++) {
    const name = headers.nameAt(i);
    const value = headers.valueAt(i);
    if (!hasPlace(name)) continue;
    // The response has the length that it is bounded by, once; trailers and interim responses have none.
    if (name === 'content-length') continue;
    if (name === 'content-type' && (status === 304 || value === '')) continue;
    fields.push(name, safeValue(value));
  }
}

/** Trailers as names and values in turn. */
export function fieldsOf(trailers: HeaderMap): string[] {
  const fields: string[] = [];
  addFields(fields, trailers, 200);
  return fields;
}

function hasPlace(name: string): boolean {
  // Names that are not tokens are written with an empty prefix in HTTP/1.1.
  return responseField(name).prefix !== '' && !hopByHop.has(name);
}
