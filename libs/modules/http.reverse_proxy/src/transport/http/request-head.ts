/** Head of an outgoing request (RFC 9112 §3, §5): a string with one character per byte. */
import { fromLatin1, isToken, toLatin1 } from '@sluice/base';
import { HeaderMap, requestFieldLines, safeValue } from '@sluice/http1';
import { UpstreamError, withoutZone, type DialAddress, type UpstreamRequest } from '@sluice/http-app';

/** Methods that send `Content-Length: 0` without a body. */
const bodyExpected: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Common methods, which need no token validation. */
const goodMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', ...bodyExpected]);

/** Parts of a head that depend on transport options. */
export interface HeadStyle {
  /** `Connection: close`: connections are not reused. */
  readonly close: boolean;
  /** Request gzip if the client requests no coding, and decode it. */
  readonly compression: boolean;
  /** `Proxy-Authorization` if a forward proxy reads the head, otherwise empty. */
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

/** Escapes spaces and control characters, which would end the target. Non-ASCII bytes are kept. */
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

/** Reports whether the transport requests gzip by itself and must decode it. */
export function asksForGzip({ method, headers }: UpstreamRequest, style: HeadStyle): boolean {
  return style.compression && method !== 'HEAD' && !headers.get('accept-encoding') && !headers.get('range');
}

/**
 * Returns the fields that {@link requestHead} writes, without Host. If the protocol is not known yet, returns those for
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

/** A request to be sent. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  readonly host: string;
  /** Result of {@link asksForGzip} for this request. */
  readonly asksForGzip: boolean;
}

/**
 * Returns the whole head, including the empty line. `prefix` makes the target absolute for a forward proxy. Throws for
 * an invalid method.
 */
export function requestHead({ request, host, asksForGzip }: OutgoingCall, prefix: string, style: HeadStyle): string {
  const { method, headers } = request;
  if (!goodMethods.has(method) && !isToken(method))
    throw new UpstreamError('malformed', `cannot send a request of method ${JSON.stringify(method)}`);
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
