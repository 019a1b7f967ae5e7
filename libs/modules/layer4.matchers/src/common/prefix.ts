/** Comparison with the first bytes of a connection. */
import type { Verdict } from '@sluice/layer4-app';

/** Reports whether `bytes[0..end)` begins with a prefix. Returns `null` if more bytes are needed. */
export function beginsWith(bytes: Buffer, end: number, prefix: Buffer): Verdict {
  const length = Math.min(end, prefix.length);
  if (bytes.compare(prefix, 0, length, 0, length) !== 0) return false;
  return end >= prefix.length ? true : null;
}
