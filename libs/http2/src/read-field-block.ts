/** Reads the first field block of a connection, for those who only look at it. */
import { HpackDecoder } from './hpack/decoder.ts';
import { RequestFields } from './request-fields.ts';

const limits = { bytes: 16 * 1024, count: 200, kept: { has: () => false } };

/** Returns the fields of the first request of a connection; `null` if the block is invalid. */
export function readFieldBlock(block: Buffer): RequestFields | null {
  const fields = new RequestFields(limits, false);
  const whole = new HpackDecoder().decode(block, 0, block.length, fields);
  return whole && !fields.malformed && !fields.tooLarge ? fields : null;
}
