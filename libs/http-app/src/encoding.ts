import type { Transform } from 'node:stream';
import { namespace, type Namespace } from '@sluice/registry';

/** Encodes response bodies with one content encoding. */
export interface HttpEncoder {
  /** Name of the content encoding in lowercase, such as `gzip`. */
  readonly coding: string;
  /** Encodes a complete body. The body must not change until the encoding finishes. */
  encode(body: Buffer): Buffer | Promise<Buffer>;
  /**
   * Encodes a short body synchronously, so that its memory can be reused immediately. Returns `null` if the caller must use `encode`
   * instead.
   */
  encodeAtOnce?(body: Buffer): Buffer | null;
  /** Returns a stream that encodes a body outside the event loop. */
  stream(): EncodingStream;
  /** Argument for the stream's `flush` method. With this argument, `flush` outputs all data received so far. */
  readonly flushKind: number;
}

/** A compression stream from `node:zlib`. */
export interface EncodingStream extends Transform {
  flush(kind: number, callback: () => void): void;
}

/** Immutable buffers that the server may send many times, such as cached files. An encoder may cache its result for such a buffer. */
export const lastingBodies: WeakSet<Buffer> = new WeakSet<Buffer>();

export interface PrecompressedFiles {
  /** Name of the content encoding in lowercase, such as `br`. */
  readonly coding: string;
  /** Suffix that is appended to the original file name, such as `.br`. */
  readonly suffix: string;
}

/** Module namespace `http.encoders`, as a module map. */
export const httpEncoders: Namespace<HttpEncoder> = namespace<HttpEncoder>('http.encoders');
/** Module namespace `http.precompressed`, as a module map. */
export const httpPrecompressed: Namespace<PrecompressedFiles> = namespace<PrecompressedFiles>('http.precompressed');

/** Maximum number of `Accept-Encoding` values that each negotiator caches. Real clients send fewer different values. */
const maxRemembered = 256;

/** Returns the offered content encodings that a client accepts, in order of preference. */
export type Negotiator = (acceptEncoding: string | undefined) => readonly string[];

/**
 * Creates a content encoding negotiator. `preferred` determines the order of encodings with equal weight. Encodings that it does not list
 * come last, in header order. Accepts only encodings that the client lists by name. As in Caddy, ignores `*`, because an unencoded response
 * is always valid.
 */
export function compileNegotiator(offered: readonly string[], preferred: readonly string[]): Negotiator {
  const remembered = new Map<string, readonly string[]>();
  return (field) => {
    if (field === undefined || field === '') return none;
    let accepted = remembered.get(field);
    if (accepted === undefined) {
      accepted = negotiate(field, offered, preferred);
      if (remembered.size >= maxRemembered) remembered.clear();
      if (field.length <= 256) remembered.set(field, accepted);
    }
    return accepted;
  };
}

const none: readonly string[] = [];

interface Candidate {
  readonly coding: string;
  readonly weight: number;
  readonly rank: number;
}

function negotiate(field: string, offered: readonly string[], preferred: readonly string[]): readonly string[] {
  const candidates: Candidate[] = [];
  for (const element of field.split(',', 100)) {
    const [name = '', ...parameters] = element.split(';');
    const coding = name.trim().toLowerCase();
    if (!offered.includes(coding)) continue;
    const weight = weightOf(parameters);
    const rank = preferred.indexOf(coding);
    if (weight > 0) candidates.push({ coding, weight, rank: rank < 0 ? preferred.length : rank });
  }
  candidates.sort((a, b) => b.weight - a.weight || a.rank - b.rank);
  return [...new Set(candidates.map(({ coding }) => coding))];
}

/** Returns the `q` parameter. Returns 1 if it is missing or is not a number from 0 to 1. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const text = parameter.trim().toLowerCase();
    if (!text.startsWith('q=')) continue;
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)$/.test(text.slice(2)) ? Number(text.slice(2)) : 1;
    return weight;
  }
  return 1;
}
