/** Head of an upstream HTTP/1.1 request (RFC 9112 §3, §5), as a string with one character per byte. */
import { fromLatin1, isToken, toLatin1 } from '@sluice/base';
import { HeaderMap, requestFieldLines, safeValue } from '@sluice/http1';
import { UpstreamError, withoutZone, type DialAddress, type UpstreamRequest } from '@sluice/http-app';

/** Methods for which `Content-Length: 0` is sent if there is no body. */
const bodyExpected: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Common methods, for which no validation is necessary. */
const goodMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', ...bodyExpected]);

/** Transport options that affect the request head. */
export interface HeadStyle {
  /** True to send `Connection: close`, because connections are not reused. */
  readonly close: boolean;
  /** True to request and decode gzip if the client requests no content coding. */
  readonly compression: boolean;
  /** Value of `Proxy-Authorization` if a forward proxy reads the head. Empty otherwise. */
  readonly proxyAuthorization: string;
}

export function targetOf(request: UpstreamRequest): string {
  const target = request.query === null ? request.rawPath : `${request.rawPath}?${request.query}`;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (code <= 0x20 || code >= 0x7f) return escaped(target);
  }
  return target;
}

/** Escapes spaces and control characters, which would terminate the request target. Keeps non-ASCII bytes. */
function escaped(target: string): string {
  return toLatin1(target).replaceAll(
    /[\0-\x20\x7f]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

export function authorityOf(request: UpstreamRequest, address: DialAddress): string {
  if (request.host !== '') return safeValue(withoutZone(request.host));
  return address.network === 'unix' ? 'localhost' : withoutZone(address.hostPort);
}

/** Reports whether the transport requests gzip although the client did not. The transport must then decode the response. */
export function asksForGzip({ method, headers }: UpstreamRequest, style: HeadStyle): boolean {
  return style.compression && method !== 'HEAD' && !headers.get('accept-encoding') && !headers.get('range');
}

/**
 * Returns the fields that {@link requestHead} writes, without Host. If the HTTP version is not determined yet, returns the fields for
 * HTTP/1.1.
 */
export function writtenFields(call: OutgoingCall, prefix: string, style: HeadStyle): HeaderMap {
  const fields = new HeaderMap();
  const [, ...lines] = requestHead(call, prefix, style).trimEnd().split('\r\n');
  for (const line of lines) {
    const colon = line.indexOf(':');
    fields.append(line.slice(0, colon).toLowerCase(), fromLatin1(line.slice(colon + 1).trim()));
  }
  fields.delete('host');
  return fields;
}

/** An upstream request to be sent. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  readonly host: string;
  /** Result of {@link asksForGzip} for the request. */
  readonly asksForGzip: boolean;
}

/**
 * Returns the complete request head, including the empty line. `prefix` turns the target into an absolute URL for a forward proxy. Throws
 * for an invalid method.
 */
export function requestHead({ request, host, asksForGzip }: OutgoingCall, prefix: string, style: HeadStyle): string {
  const { method, headers } = request;
  if (!goodMethods.has(method) && !isToken(method))
    throw new UpstreamError('malformed', `cannot send the request: invalid method ${JSON.stringify(method)}`);
  let head = `${method} ${prefix}${targetOf(request)} HTTP/1.1\r\nHost: ${host}\r\n${requestFieldLines(headers, request.upgrade !== '')}`;
  const { length } = request.body;
  if (length > 0 || (length === 0 && bodyExpected.has(method))) head += `Content-Length: ${length}\r\n`;
  else if (length < 0) head += 'Transfer-Encoding: chunked\r\n';
  if (asksForGzip) head += 'Accept-Encoding: gzip\r\n';
  if (prefix !== '' && style.proxyAuthorization !== '') head += `Proxy-Authorization: ${style.proxyAuthorization}\r\n`;
  if (request.upgrade !== '') head += `Connection: Upgrade\r\nUpgrade: ${safeValue(request.upgrade)}\r\n`;
  else if (style.close) head += 'Connection: close\r\n';
  return `${head}\r\n`;
}
