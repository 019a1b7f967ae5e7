/** Error responses that the HTTP/1.1 engine sends for requests that never reach a handler. */
import { dateLine } from './date.ts';

/** Response to a rejected request. The connection closes after the response. */
export interface Refusal {
  readonly status: number;
  /** Reason phrase of the status line. */
  readonly reason: string;
  readonly body: string;
}

/** Response to input that is not valid HTTP/1.x (RFC 9112 §2.2, §3, §5.1). */
export const badRequest: Refusal = refusal(400, 'Bad Request');
export const badFieldName: Refusal = refusal(400, 'Bad Request: invalid header name');
export const missingHost: Refusal = refusal(400, 'Bad Request: missing required Host header');
export const malformedHost: Refusal = refusal(400, 'Bad Request: malformed Host header');
/** Response to a head that exceeds the server's `max_header_bytes` (RFC 6585 §5). */
export const headTooLarge: Refusal = refusal(431, 'Request Header Fields Too Large');
/** Response to a transfer coding other than `chunked` (RFC 9112 §6.1). */
export const unknownCoding: Refusal = { status: 501, reason: 'Not Implemented', body: 'Unsupported transfer encoding' };
export const unknownVersion: Refusal = refusal(505, 'HTTP Version Not Supported: unsupported protocol version');

function refusal(status: number, reason: string): Refusal {
  return { status, reason, body: `${status} ${reason}` };
}

/** Formats an error response. It has no `Content-Length`, because the connection closes after the response. */
export function refusalText({ status, reason, body }: Refusal): string {
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`;
}

/** Returns the response to an `Expect` value other than `100-continue` (RFC 9110 §10.1.1). */
export function expectationFailed(proto: string): string {
  return `${proto} 417 Expectation Failed\r\nConnection: close\r\n${dateLine(performance.now())}Content-Length: 0\r\n\r\n`;
}

/** Returns the response for an empty `Host` field. Used if the request target also contains no host. */
export function emptyHost(proto: string): string {
  return `${proto} 400 Bad Request\r\nServer: Sluice\r\n${dateLine(performance.now())}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}

/** Returns the response to `OPTIONS *`, which is a ping for the server (RFC 9110 §9.3.7). */
export function serverOptionsResponse(proto: string, keepAlive: boolean): string {
  return `${proto} 200 OK\r\nContent-Length: 0\r\n${dateLine(performance.now())}${keepAlive ? '' : 'Connection: close\r\n'}\r\n`;
}
