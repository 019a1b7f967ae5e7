/** Decodes a connection's first field block without creating a connection object. */
import { HpackDecoder } from './hpack/decoder.ts';
import { RequestFields } from './request-fields.ts';

const limits = { bytes: 16 * 1024, count: 200, kept: { has: () => false } };

/** Returns the fields of a connection's first request. Returns `null` if the block is invalid. */
export function readFieldBlock(block: Buffer): RequestFields | null {
  const fields = new RequestFields(limits, false);
  const whole = new HpackDecoder().decode(block, 0, block.length, fields);
  return whole && !fields.malformed && !fields.tooLarge ? fields : null;
}
