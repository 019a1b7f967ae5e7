/** Responses to clients that do not start a TLS handshake. */

/** TLS alert codes (RFC 8446 §6.2). */
export const alerts = {
  badCertificate: 42,
  decodeError: 50,
  protocolVersion: 70,
  internalError: 80,
  unrecognizedName: 112,
  noApplicationProtocol: 120,
} as const;

/** Returns a fatal TLS alert as an unencrypted record. */
export function alertRecord(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}

/** First bytes of plain HTTP requests. The response to them is the same as Caddy's. */
const plainRequests: readonly string[] = ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'];
const plainResponse = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Returns the response to input that is not a TLS handshake, or `null` to send no response. */
export function responseToForeign(bytes: Buffer, end: number): string | null {
  return plainRequests.includes(bytes.toString('latin1', 0, Math.min(5, end))) ? plainResponse : null;
}
