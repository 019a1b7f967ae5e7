/**
 * Value encoding for etcd, which does not store modification times. A value consists of a format byte, the modification time in
 * milliseconds since the Unix epoch (8 bytes, big-endian), and the data.
 */
import { SluiceError } from '@sluice/base';

const format = 1;
const header = 9;

/** A decoded value. */
export interface TimedValue {
  readonly bytes: Buffer;
  readonly modified: number;
}

export function encodeValue(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  const whole = Buffer.allocUnsafe(header + bytes.length);
  whole.writeUInt8(format);
  whole.writeBigUInt64BE(BigInt(Date.now()), 1);
  bytes.copy(whole, header);
  return whole;
}

/** Decodes the result of {@link encodeValue}. */
export function decodeValue(key: string, whole: Buffer): TimedValue {
  if (whole.length < header || whole[0] !== format)
    throw new SluiceError('ERR_STORAGE_VALUE', `value of ${key} was not written by this module`);
  return { bytes: whole.subarray(header), modified: Number(whole.readBigUInt64BE(1)) };
}
