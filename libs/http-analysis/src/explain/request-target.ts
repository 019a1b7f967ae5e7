/** Converts a URL to a request head, in the same way as the server would parse the request. */
import { HeaderMap, isHost, parseOriginForm, type RequestHead } from '@sluice/http1';
import { requestError } from './request-error.ts';
import type { ExplainRequest } from './types.ts';

/** A request as the server receives it, and its destination port. */
export interface ReadTarget {
  readonly head: RequestHead;
  readonly isHttps: boolean;
  /** Destination port of the request. */
  readonly port: number;
}

const absoluteUrl = /^(?<scheme>https?):\/\/(?<authority>[^/?#]+)(?<path>[^?#]*)(?<query>\?[^#]*)?(?:#.*)?$/i;

/** Parses the URL and the headers of a request to explain. Throws `ERR_EXPLAIN_REQUEST` if they are invalid. */
export function readTarget({ url, method = 'GET', headers = {}, body, protocol, port }: ExplainRequest): ReadTarget {
  const { scheme = '', authority = '', path = '', query } = absoluteUrl.exec(url)?.groups ?? {};
  if (scheme === '') throw requestError('url', `${JSON.stringify(url)} is not a URL such as https://example.com/path`);
  const isHttps = scheme.toLowerCase() === 'https';
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  const fields = fieldsOf(headers);
  const host = fields.get('host') ?? named;
  fields.delete('host');
  // A client that sends a body also sends its length.
  if (body !== undefined && !fields.has('content-length') && !fields.has('transfer-encoding'))
    fields.set('content-length', String(lengthOf(body)));
  if (!isHost(host)) throw requestError('url', `${JSON.stringify(host)} is not a host`);
  const target = `${path === '' ? '/' : path}${query ?? ''}`;
  const parsed = parseOriginForm(target);
  if (parsed === null)
    throw requestError('url', `${JSON.stringify(target)} is not a valid path; check its percent-encoding`);
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(method)) throw requestError('method', `${JSON.stringify(method)} is not a method`);
  return {
    head: {
      method,
      rawPath: parsed.rawPath,
      query: parsed.query,
      target,
      proto: protocol ?? (isHttps ? 'HTTP/2.0' : 'HTTP/1.1'),
      host,
      headers: fields,
    },
    isHttps,
    port: port ?? portOf(named) ?? (isHttps ? 443 : 80),
  };
}

function fieldsOf(headers: NonNullable<ExplainRequest['headers']>): HeaderMap {
  const fields = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    for (const line of typeof value === 'string' ? [value] : value) fields.append(name.toLowerCase(), line.trim());
  return fields;
}

function lengthOf(body: NonNullable<ExplainRequest['body']>): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : Buffer.byteLength(body.base64, 'base64');
}

function portOf(authority: string): number | null {
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined ? null : Number(port);
}
