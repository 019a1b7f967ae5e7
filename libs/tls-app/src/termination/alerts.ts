/** What is said to clients whose handshake does not begin. */

/** Alerts (RFC 8446 §6.2). */
export const alerts = {
  badCertificate: 42,
  decodeError: 50,
  protocolVersion: 70,
  internalError: 80,
  unrecognizedName: 112,
  noApplicationProtocol: 120,
} as const;

/** A fatal alert, as it is sent before anything is encrypted. */
export function alertRecord(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}

/** How requests without TLS begin; the response of the reference is known to people. */
const plainRequests: readonly string[] = ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'];
const plainResponse = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** The response to bytes that are not handshake; `null` for none. */
export function responseToForeign(bytes: Buffer, end: number): string | null {
  return plainRequests.includes(bytes.toString('latin1', 0, Math.min(5, end))) ? plainResponse : null;
}
