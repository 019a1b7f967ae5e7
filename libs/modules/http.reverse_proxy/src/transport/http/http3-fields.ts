/** Request fields in HTTP/3 format: alternating lower-case names and values, with one character per byte. */
import { toLatin1 } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { ClientCall } from './client-call.ts';
import { mayBeSent } from './http2-fields.ts';
import { targetOf } from './request-head.ts';

/** Returns the fields of a request. `protocol` is the protocol of an extended CONNECT request (RFC 9220 §3), and empty for other requests. */
export function requestFields({ request, host, asksForGzip }: ClientCall, protocol: string): string[] {
  const method = protocol === '' ? request.method : 'CONNECT';
  const fields = [':method', method, ':scheme', 'https', ':authority', host, ':path', targetOf(request)];
  if (protocol !== '') fields.push(':protocol', protocol);
  append(fields, request.headers, protocol === '' ? '' : 'sec-websocket-key');
  if (request.body.length > 0) fields.push('content-length', String(request.body.length));
  if (asksForGzip) fields.push('accept-encoding', 'gzip');
  return fields;
}

export function trailerFields(trailers: HeaderMap): string[] {
  const fields: string[] = [];
  append(fields, trailers, '');
  return fields;
}

function append(fields: string[], headers: HeaderMap, skipped: string): void {
  for (const [name, value] of headers)
    if (name !== skipped && mayBeSent(name, value)) fields.push(name, toLatin1(value).trim());
}
