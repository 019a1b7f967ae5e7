/** Distinguishes HTTP/1 from other protocols by the request line, before the line is complete (RFC 9112 §3). */

const lineFeed = 0x0a;
const space = 0x20;
/** Maximum length of a method. */
const maxMethod = 24;
/** Maximum length of a request line. */
const maxLine = 8192;

/** Reports whether bytes can be the start of a request. */
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

/** Reports whether a byte may be part of a method. Methods in use consist of these characters. */
function isMethodByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d || byte === 0x5f;
}
