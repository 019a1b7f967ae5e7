/** The head of a request as it goes out (RFC 9112 §3, §5): text with one character per byte. */
import { fromLatin1, isToken, toLatin1 } from '@sluice/base';
import { HeaderMap, requestFieldLines, safeValue } from '@sluice/http1';
import { UpstreamError, withoutZone, type DialAddress, type UpstreamRequest } from '@sluice/http-app';

/** Methods whose requests say `Content-Length: 0` where they have no body. */
const bodyExpected: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Methods of which no one needs to ask whether they are tokens. */
const goodMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', ...bodyExpected]);

/** What the options of a transport add to each head. */
export interface HeadStyle {
  /** `Connection: close`: no connection is used twice. */
  readonly close: boolean;
  /** Ask for gzip where the client asks for nothing, and decode it. */
  readonly compression: boolean;
  /** `Proxy-Authorization` where a forward proxy reads the head; else empty. */
  readonly proxyAuthorization: string;
}

/** The target of a request line. */
export function targetOf(request: UpstreamRequest): string {
  const target = request.query === null ? request.rawPath : `${request.rawPath}?${request.query}`;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (code <= 0x20 || code >= 0x7f) return escaped(target);
  }
  return target;
}

/** Space and controls would end the target; what is not ASCII stays as it is, byte by byte. */
function escaped(target: string): string {
  return toLatin1(target).replaceAll(
    /[\0-\x20\x7f]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** The host of a request. */
export function authorityOf(request: UpstreamRequest, address: DialAddress): string {
  if (request.host !== '') return safeValue(withoutZone(request.host));
  return address.network === 'unix' ? 'localhost' : withoutZone(address.hostPort);
}

/** Whether the transport asks for gzip of its own accord, and so has to decode it. Fields without a value do not count. */
export function asksForGzip({ method, headers }: UpstreamRequest, style: HeadStyle): boolean {
  return style.compression && method !== 'HEAD' && !headers.get('accept-encoding') && !headers.get('range');
}

/**
 * The fields that {@link requestHead} writes, without Host. Where the protocol of the upstream is only known once it is
 * connected, those of HTTP/1.1.
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

/** A request that is about to be sent. */
export interface OutgoingCall {
  readonly request: UpstreamRequest;
  readonly host: string;
  /** What {@link asksForGzip} says of it. */
  readonly asksForGzip: boolean;
}

/**
 * The whole head, with the empty line. `prefix` makes the target absolute for a forward proxy, else it is empty. A method
 * that is none is an error.
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
