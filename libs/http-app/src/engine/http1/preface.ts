/** What the first bytes of a connection tell. */

/** What every HTTP/2 client sends first (RFC 9113 §3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** No request is shorter; the reference looks at nothing that is. */
const shortest = 14;

/** Whether the bytes are an HTTP/2 preface, and maybe more. */
export function isPreface(bytes: Buffer): boolean {
  return bytes.length >= preface.length && startsAlike(bytes);
}

/** Whether more bytes must come to tell the protocol. */
export function needsMore(bytes: Buffer): boolean {
  return bytes.length < shortest || (bytes.length < preface.length && startsAlike(bytes));
}

function startsAlike(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, preface.length);
  for (let i = 0; i < length; i++) if (bytes[i] !== preface[i]) return false;
  return true;
}
