/** Contracts of content codings (RFC 9110 §8.4, §12.5.3): encoders of responses, and files that were encoded before. */
import type { Transform } from 'node:stream';
import { namespace, type Namespace } from '@sluice/registry';

/** Encodes bodies with one content coding. */
export interface HttpEncoder {
  /** Name of the coding, in lower case: `gzip`. */
  readonly coding: string;
  /** Encodes a whole body, which must not change meanwhile. */
  encode(body: Buffer): Buffer | Promise<Buffer>;
  /** Encodes a short body before it returns, so that its memory may be used again; `null` leaves it to `encode`. */
  encodeAtOnce?(body: Buffer): Buffer | null;
  /** A stream that encodes away from the event loop. */
  stream(): EncodingStream;
  /** What to call its `flush` with, so that all it has got comes out. */
  readonly flushKind: number;
}

/** A compressing stream of `node:zlib`. */
export interface EncodingStream extends Transform {
  flush(kind: number, callback: () => void): void;
}

/**
 * Buffers that never change and may be sent many times, such as files that are kept in memory. Who encodes one may
 * remember the result.
 */
export const lastingBodies: WeakSet<Buffer> = new WeakSet<Buffer>();

/** A kind of files that hold the encoded content of others. */
export interface PrecompressedFiles {
  /** Name of the coding, in lower case: `br`. */
  readonly coding: string;
  /** What their names have after that of the file: `.br`. */
  readonly suffix: string;
}

/** `http.encoders`: a module map. */
export const httpEncoders: Namespace<HttpEncoder> = namespace<HttpEncoder>('http.encoders');
/** `http.precompressed`: a module map. */
export const httpPrecompressed: Namespace<PrecompressedFiles> = namespace<PrecompressedFiles>('http.precompressed');

/** Fields that are remembered per negotiator; there are few different ones, unless clients make them up. */
const maxRemembered = 256;

/** Finds which of the offered codings a client accepts, best first. */
export type Negotiator = (acceptEncoding: string | undefined) => readonly string[];

/**
 * Makes a negotiator. What the client weighs the same is ordered by `preferred`; codings that are not in it come last,
 * in the order of the field. Only codings that the client names are accepted: `*` stands for nothing, as in the
 * reference, and being sent nothing encoded is always right.
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

/** The parameter `q`; 1 where it is missing or no number from 0 to 1. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const text = parameter.trim().toLowerCase();
    if (!text.startsWith('q=')) continue;
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?|\.\d+)$/.test(text.slice(2)) ? Number(text.slice(2)) : 1;
    return weight;
  }
  return 1;
}
