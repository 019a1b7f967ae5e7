/** Encodes field blocks according to RFC 7541, as test input for decoders. */
import type { HpackDecoder } from '../../src/hpack/decoder.ts';

/** Encodes an integer (RFC 7541 §5.1) after a bit pattern. `mask` selects the integer bits of the first byte. */
export function integer(pattern: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.from([pattern + value]);
  const bytes = [pattern + mask];
  let rest = value - mask;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** Encodes a string (RFC 7541 §5.2) without Huffman coding. */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(0, 0x7f, bytes.length), bytes]);
}

/** Encodes an indexed field (RFC 7541 §6.1). */
export const indexed = (index: number): Buffer => integer(0x80, 0x7f, index);

/** Literal field representations (RFC 7541 §6.2.1 to §6.2.3). */
export const forms = {
  inserted: [0x40, 0x3f],
  notInserted: [0, 0x0f],
  neverInserted: [0x10, 0x0f],
} as const;

/** Encodes a literal field. Its name is a string or a table index. */
export function literal(form: keyof typeof forms, name: string | number, value: string): Buffer {
  const [pattern, mask] = forms[form];
  const begin = typeof name === 'number' ? integer(pattern, mask, name) : [Buffer.from([pattern]), text(name)];
  return Buffer.concat([...(Array.isArray(begin) ? begin : [begin]), text(value)]);
}

/** Encodes a dynamic table size update (RFC 7541 §6.3). */
export const update = (size: number): Buffer => integer(0x20, 0x1f, size);

export interface Seen {
  readonly name: string;
  readonly value: string;
  readonly kind: number;
  readonly size: number;
}

/** Decodes a block that is part of a larger buffer. Returns `null` if the block is invalid. */
export function decode(decoder: HpackDecoder, ...parts: readonly Buffer[]): Seen[] | null {
  const block = Buffer.concat(parts);
  const around = Buffer.concat([Buffer.from([0x82]), block, update(0)]);
  const seen: Seen[] = [];
  const sink = {
    field: (name: string, value: string, kind: number, size: number) => void seen.push({ name, value, kind, size }),
  };
  return decoder.decode(around, 1, 1 + block.length, sink) ? seen : null;
}

/** Works like {@link decode} but returns strings in the form `name: value`. */
export function texts(decoder: HpackDecoder, ...parts: readonly Buffer[]): string[] | undefined {
  return decode(decoder, ...parts)?.map(({ name, value }) => `${name}: ${value}`);
}
