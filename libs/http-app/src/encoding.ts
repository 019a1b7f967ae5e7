import type { Transform } from 'node:stream';
import { namespace, type Namespace } from '@sluice/registry';

/** Encodes bodies with one content coding. */
export interface HttpEncoder {
  /** Lowercase coding name, for example `gzip`. */
  readonly coding: string;
  /** Encodes a complete body, which must not change until the encoding finishes. */
  encode(body: Buffer): Buffer | Promise<Buffer>;
  /** Encodes a short body synchronously, so that its memory can be reused immediately; `null` if `encode` must be used. */
  encodeAtOnce?(body: Buffer): Buffer | null;
  /** Returns a stream that encodes off the event loop. */
  stream(): EncodingStream;
  /** Argument for the stream's `flush` method that emits all input received so far. */
  readonly flushKind: number;
}

/** A compressing stream of `node:zlib`. */
export interface EncodingStream extends Transform {
  flush(kind: number, callback: () => void): void;
}

/**
 * Immutable buffers that may be sent many times, for example cached files. An encoder may cache its result for such a
 * buffer.
 */
export const lastingBodies: WeakSet<Buffer> = new WeakSet<Buffer>();

export interface PrecompressedFiles {
  /** Lowercase coding name, for example `br`. */
  readonly coding: string;
  /** Suffix added to the original file name, for example `.br`. */
  readonly suffix: string;
}

/** Namespace `http.encoders`: a module map. */
export const httpEncoders: Namespace<HttpEncoder> = namespace<HttpEncoder>('http.encoders');
/** Namespace `http.precompressed`: a module map. */
export const httpPrecompressed: Namespace<PrecompressedFiles> = namespace<PrecompressedFiles>('http.precompressed');

/** Maximum number of cached `Accept-Encoding` values per negotiator. Real clients send fewer. */
const maxRemembered = 256;

/** Returns the offered codings that a client accepts, best first. */
export type Negotiator = (acceptEncoding: string | undefined) => readonly string[];

/**
 * Creates a negotiator. Codings of equal weight are ordered by `preferred`; codings not listed there come last, in field order. Only
 * codings that the client names are accepted. `*` is ignored, as in Caddy, because an unencoded response is always valid.
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

/** Returns parameter `q`, or 1 if it is missing or not a number from 0 to 1. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const text = parameter.trim().toLowerCase();
    if (!text.startsWith('q=')) continue;
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)$/.test(text.slice(2)) ? Number(text.slice(2)) : 1;
    return weight;
  }
  return 1;
}
