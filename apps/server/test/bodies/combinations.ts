/** Combinations of all factors that affect the delivery of a body: producer, transport, filter, protocol, reader, and connection ending. */
import { createHash } from 'node:crypto';

/** Handlers that produce a body, and transports that deliver a body from an upstream. */
export const producers = [
  'static',
  'file',
  'range',
  'http',
  'unix',
  'https',
  'gunzip',
  'h2c',
  'h2',
  'fastcgi',
  'php',
] as const;
export type Producer = (typeof producers)[number];

/** Handlers that filter the body between the producer and the client. */
export const filters = [
  'none',
  'gzip',
  'zstd',
  'headers',
  'buffers',
  'templates',
  'intercept',
  'templates+gzip',
  'headers+zstd',
] as const;
export type Filter = (typeof filters)[number];

/** Client protocols. */
const protocols = ['h10', 'h1', 'h1s', 'h2c', 'h2'] as const;
export type Protocol = (typeof protocols)[number];

/** Kinds of readers: immediate, with pauses, or after a delay. */
const readers = ['fast', 'slow', 'late'] as const;
export type Reader = (typeof readers)[number];

/** Body framing used by an upstream. */
const framings = ['length', 'chunked', 'close'] as const;
export type Framing = (typeof framings)[number];

/**
 * Ways in which an upstream response can end. The connection stays open, closes with the last byte or shortly after, or is reset
 * afterwards. Other endings omit half of the body, or send more bytes than declared.
 */
const endings = ['kept', 'ended', 'later', 'reset', 'cut', 'excess'] as const;
export type Ending = (typeof endings)[number];

export const sizes = [0, 1, 2048, 2049, 32_769, 70_000, 300_000, 1_500_000] as const;

export interface Combination {
  readonly producer: Producer;
  readonly filter: Filter;
  readonly protocol: Protocol;
  readonly reader: Reader;
  readonly framing: Framing;
  readonly ending: Ending;
  readonly size: number;
}

/** Producers without an upstream. They have only one possible ending. */
const local: ReadonlySet<Producer> = new Set(['static', 'file', 'range']);
const overHttp1: ReadonlySet<Producer> = new Set(['http', 'unix', 'https', 'gunzip']);

/** Protocols with shared connections. An ending that closes the connection would affect other responses. */
const sharesConnection: ReadonlySet<Producer> = new Set(['h2', 'h2c']);

/**
 * Maximum size of a body before a connection reset, in bytes. A reset can discard bytes in the system's socket buffers. Smaller bodies have
 * already left these buffers.
 */
const maxResetSize = 40_000;

/** Reports whether a combination is possible. */
function exists({ producer, framing, ending, size }: Combination): boolean {
  if (local.has(producer)) return framing === 'length' && ending === 'kept' && (producer !== 'range' || size > 1);
  if (producer === 'php') return framing !== 'close' && ending === 'kept';
  if (framing === 'close' && (!overHttp1.has(producer) || ending === 'kept')) return false;
  // Without a reset, truncation cannot be detected if the connection close ends the body.
  if (framing === 'close' && (ending === 'cut' || ending === 'reset') && producer !== 'http' && producer !== 'gunzip')
    return false;
  if (producer === 'gunzip' && (ending === 'excess' || size === 0)) return false;
  // In HTTP/2, the frame that ends the stream also ends the body. FastCGI has no chunked encoding. Excess bytes are therefore impossible.
  if (!overHttp1.has(producer) && framing === 'chunked' && ending === 'excess') return false;
  if ((ending === 'excess' || ending === 'reset') && sharesConnection.has(producer)) return false;
  if (ending === 'excess') return framing === 'length' && size > 0;
  if (ending === 'cut') return size > 1;
  return ending !== 'reset' || size <= maxResetSize;
}

/** Reports whether the client receives a response that it can recognize as incomplete. */
export function isCut({ producer, framing, ending }: Combination): boolean {
  if (ending === 'cut') return true;
  if (ending === 'excess') return producer === 'h2c' || producer === 'h2';
  return ending === 'reset' && framing === 'close';
}

/** Returns a body of the given size. Its text is unique at each position, and half of it is compressible. */
export function bodyOf(size: number): Buffer {
  const known = bodies.get(size);
  if (known !== undefined) return known;
  const parts: string[] = [];
  for (let length = 0, i = 0; length < size; i++) {
    const part = `${createHash('sha256').update(`${size} ${i}`).digest('hex')} ${'the usual words '.repeat(4)}\n`;
    parts.push(part);
    length += part.length;
  }
  const body = Buffer.from(parts.join('').slice(0, size), 'latin1');
  bodies.set(size, body);
  return body;
}

const bodies = new Map<number, Buffer>();

/** Returns the bytes that the client should receive. For a range request, this is a part of the body. */
export function expectedBody({ producer, size }: Combination): Buffer {
  const body = bodyOf(size);
  return producer === 'range' ? body.subarray(1, size - 1) : body;
}

/** Returns all possible combinations, in an order determined by the seed. */
export function combinations(seed: number): Combination[] {
  const all: Combination[] = [];
  for (const producer of producers)
    for (const filter of filters)
      for (const protocol of protocols)
        for (const reader of readers)
          for (const framing of framings)
            for (const ending of endings)
              for (const size of sizes) {
                const each = { producer, filter, protocol, reader, framing, ending, size };
                if (exists(each)) all.push(each);
              }
  let state = seed;
  for (let i = all.length - 1; i > 0; i--) {
    // A linear congruential generator (Numerical Recipes). The order only has to be reproducible.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = state % (i + 1);
    [all[i], all[j]] = [all[j] as Combination, all[i] as Combination];
  }
  return all;
}

export function nameOf(each: Combination): string {
  const { producer, filter, protocol, reader, framing, ending, size } = each;
  return [producer, filter, protocol, reader, framing, ending, size].join(' ');
}
