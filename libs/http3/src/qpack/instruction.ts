/**
 * Encodes a QPACK instruction that contains a single integer (RFC 9204 §4.3, §4.4). `mask` is the maximum value that fits in the integer's
 * prefix.
 */
export function instruction(pattern: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.from([pattern | value]);
  const bytes = [pattern | mask];
  let rest = value - mask;
  while (rest >= 0x80) {
    bytes.push(0x80 | (rest & 0x7f));
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
