/** Detects HTTP/1 by its request line (RFC 9112 §3), even before the line is complete. */

const lineFeed = 0x0a;
const space = 0x20;
/** Maximum length of an HTTP method, in bytes. */
const maxMethod = 24;
/** Maximum length of a request line, in bytes. */
const maxLine = 8192;

/** Reports whether the bytes may be the start of an HTTP/1 request. */
export function isFirstLine(bytes: Buffer, end: number): boolean {
  let at = 0;
  while (at < end && isMethodByte(bytes[at] as number)) at++;
  if (at === end) return end <= maxMethod;
  if (at === 0 || at > maxMethod || bytes[at] !== space) return false;
  const line = bytes.indexOf(lineFeed);
  if (line < 0 || line >= end) return end <= maxLine;
  const text = bytes.toString('latin1', 0, line).trimEnd();
  return /^[A-Z_-]+ \S+ HTTP\/1\.[01]$/.test(text);
}

/** Reports whether a byte may occur in an HTTP method. Only characters of methods in actual use are accepted. */
function isMethodByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d || byte === 0x5f;
}
