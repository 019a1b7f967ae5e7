/** Reads the structure of DER (X.690), as far as certificates that a library has accepted need it. */

/** One element: its tag, and where its content is. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** The elements that follow each other in a content. Throws at a length that is not in the bytes. */
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
    if (at + length > bytes.length) throw new RangeError('DER that is cut');
    elements.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return elements;
}

/** An object identifier in dots, such as `2.5.4.3`. */
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
