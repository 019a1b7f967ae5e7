/** Conversion of HTTP/2 fields between `HeaderMap` and the format of Node.js. */
import type { OutgoingHttpHeaders } from 'node:http2';
import { fromLatin1, toLatin1 } from '@sluice/base';
import type { UpstreamRequest } from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';

/** Connection-specific fields, which HTTP/2 forbids (RFC 9113 §8.2.2). */
const forbidden: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Reports whether HTTP/2 and HTTP/3 permit a request field. */
export function mayBeSent(name: string, value: string): boolean {
  return !forbidden.has(name) && (name !== 'te' || value === 'trailers');
}

/** Converts request fields to the format of Node.js. */
export function outgoing(headers: HeaderMap): OutgoingHttpHeaders {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    if (mayBeSent(name, value)) (fields[name] ??= []).push(toLatin1(value));
  }
  return Object.fromEntries(Object.entries(fields).map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

/** Returns all request fields in the format of Node.js, including body fields and fields added by the transport. */
export function requestFields({ headers, body }: UpstreamRequest, asksForGzip: boolean): OutgoingHttpHeaders {
  const fields = outgoing(headers);
  if (body.length > 0) fields['content-length'] = String(body.length);
  if (asksForGzip) fields['accept-encoding'] = 'gzip';
  return fields;
}

/** Converts response fields or trailers from the format of Node.js. */
export function fieldsOf(incoming: Record<string, unknown>): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(incoming)) {
    if (name.startsWith(':')) continue;
    for (const line of Array.isArray(value) ? value : [value]) headers.append(name, fromLatin1(String(line)));
  }
  return headers;
}
