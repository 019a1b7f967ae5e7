/** Encoding functions of dns-packet that the library's types do not declare. */
import * as packet from 'dns-packet';

interface Encoder<T> {
  encode(value: T): Buffer;
}

const encoders = packet as unknown as {
  readonly name: Encoder<string>;
  readonly record: (type: string) => Encoder<unknown>;
};

/** Encodes a domain name without compression. */
export function encodeName(text: string): Buffer {
  return encoders.name.encode(text);
}

export function encodeData(type: string, data: unknown): Buffer {
  return encoders.record(type).encode(data);
}
