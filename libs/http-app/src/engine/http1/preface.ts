/** Detects the protocol from the first bytes of a connection. */

/** Connection preface, which every HTTP/2 client sends first (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Minimum length of a request, in bytes. Caddy ignores shorter requests. */
const minSize = 14;

export function isPreface(bytes: Buffer): boolean {
  return bytes.length >= preface.length && startsAlike(bytes);
}

export function needsMore(bytes: Buffer): boolean {
  return bytes.length < minSize || (bytes.length < preface.length && startsAlike(bytes));
}

function startsAlike(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, preface.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== preface[i]) return false;
  return true;
}
