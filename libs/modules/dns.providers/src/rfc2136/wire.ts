/** Encoders of dns-packet that its types do not declare. */
import { name, record } from 'dns-packet';

interface Encoder<T> {
  encode(value: T): Buffer;
}

declare module 'dns-packet' {
  const name: Encoder<string>;
  function record(type: string): Encoder<unknown>;
}

/** Encodes a name without compression. */
export function encodeName(text: string): Buffer {
  return name.encode(text);
}

/** Encodes the length and the data of a record. */
export function encodeData(type: string, data: unknown): Buffer {
  return record(type).encode(data);
}
