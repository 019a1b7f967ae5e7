import { type HeaderMap, responseField, safeValue } from '@sluice/http1';

/** Connection-specific headers, which HTTP/2 forbids (RFC 9113 §8.2.2). */
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
 * Converts a response status to the status sent on the wire. A 2xx status opens a WebSocket (RFC 8441 §5), so 101 is sent as 200. Other 2xx
 * responses to a WebSocket request get a status that clients can't mistake for an accepted WebSocket.
 */
export function wireStatus(status: number, isWebSocket: boolean): number {
  if (isWebSocket && status === 101) return 200;
  if (isWebSocket && status < 300) return 501;
  return status >= 200 && status <= 999 ? status : 500;
}

/** Adds the response headers that HTTP/2 can represent. */
export function addFields(fields: string[], headers: HeaderMap, status: number): void {
  for (let i = 0; i < headers.size; i++) {
    const name = headers.nameAt(i);
    const value = headers.valueAt(i);
    if (!hasPlace(name)) continue;
    // Skip `Content-Length`, because the response writer adds the value that it enforces. Trailers and interim responses have none.
    if (name === 'content-length') continue;
    if (name === 'content-type' && (status === 304 || value === '')) continue;
    fields.push(name, safeValue(value));
  }
}

/** Returns trailers as a list of alternating names and values. */
export function fieldsOf(trailers: HeaderMap): string[] {
  const fields: string[] = [];
  addFields(fields, trailers, 200);
  return fields;
}

function hasPlace(name: string): boolean {
  // `responseField` returns an empty prefix for a name that is not a valid token.
  return responseField(name).prefix !== '' && !hopByHop.has(name);
}
