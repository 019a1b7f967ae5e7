/** Minimal DER parser (X.690) for certificates that OpenSSL has already accepted. */

/** One DER element: its tag and the position of its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** Parses consecutive DER elements. Throws if a length exceeds the input. */
export function derElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes.readUInt8(at++);
    let length = bytes.readUInt8(at++);
    if (length > 0x80) {
      const size = length - 0x80;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    if (at + length > bytes.length) throw new RangeError('truncated DER');
    elements.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return elements;
}

/** Returns an object identifier in dotted form, for example `2.5.4.3`. */
export function oidOf(content: Buffer): string {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      if (arcs.length === 0)
        arcs.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)));
      else arcs.push(value);
      value = 0;
    }
  }
  return arcs.join('.');
}
