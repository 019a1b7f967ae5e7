/** A stored response in one thread, with its headers and remaining lifetime. */
import { isAscii } from 'node:buffer';
import { HeaderMap } from '@sluice/http1';
import { parseDate } from '../policy/dates.ts';
import type { Freshness } from '../policy/storing.ts';

/** Status, headers and metadata that are stored with a response. */
export interface StoredHead {
  readonly status: number;
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Sorted header names from `Vary`. The request's values of these headers are stored in normalized form. */
  readonly varyNames: readonly string[];
  readonly varyValues: readonly string[];
  /** Time when the response arrived, in milliseconds since the Unix epoch. */
  readonly time: number;
  readonly freshness: Freshness;
  readonly tags: readonly string[];
}

export interface StoredBody {
  readonly length: number;
  /** Body, or `null` if it must be read from the store. */
  readonly bytes: Buffer | null;
  /** Position in shared memory. 0 if the response is not in memory. */
  readonly at: number;
}

/** Maximum size of a body that is also cached as a string, in bytes. */
const maxText = 16 * 1024;

/** A stored response: key, status, headers, and the location of its body. */
export class Stored implements StoredHead {
  readonly key: string;
  readonly status: number;
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly varyNames: readonly string[];
  readonly varyValues: readonly string[];
  readonly time: number;
  readonly freshness: Freshness;
  readonly tags: readonly string[];
  readonly bodyLength: number;
  /** Body if it is small. Otherwise, it must be read from the store. */
  readonly body: Buffer | null;
  /** Position in shared memory. 0 if the response is not in memory. */
  readonly at: number;
  #modified: number | null = null;
  /** Cached value of {@link text}. `undefined` before the first use. */
  #text: string | null | undefined;

  constructor(key: string, head: StoredHead, { length, bytes, at }: StoredBody) {
    this.key = key;
    this.status = head.status;
    this.names = head.names;
    this.values = head.values;
    this.varyNames = head.varyNames;
    this.varyValues = head.varyValues;
    this.time = head.time;
    this.freshness = head.freshness;
    this.tags = head.tags;
    this.bodyLength = length;
    this.body = bytes;
    this.at = at;
  }

  /** Returns the age of the response in seconds (RFC 9111 §4.2.3). */
  age(now: number): number {
    return this.freshness.initialAge + Math.max(0, now - this.time) / 1000;
  }

  field(name: string): string {
    const at = this.names.indexOf(name);
    return at < 0 ? '' : (this.values[at] as string);
  }

  /** Last modification time in milliseconds since the Unix epoch. NaN if unknown. */
  get modified(): number {
    return (this.#modified ??= parseDate(this.field('last-modified')));
  }

  /** Body as a string if it is small and ASCII, otherwise `null`. A string is cheaper to send together with the headers. */
  get text(): string | null {
    if (this.#text === undefined) this.#text = textOf(this.body);
    return this.#text;
  }

  get hasValidator(): boolean {
    return this.names.includes('etag') || this.names.includes('last-modified');
  }

  /** Reports whether a request's headers match this response (RFC 9111 §4.1). */
  matches(headers: HeaderMap): boolean {
    const { varyNames, varyValues } = this;
    for (let i = 0; i < varyNames.length; i++)
      if (selectingValue(headers, varyNames[i] as string) !== varyValues[i]) return false;
    return true;
  }

  /** Returns a copy of the response headers. */
  headers(): HeaderMap {
    return new HeaderMap([...this.names], [...this.values]);
  }
}

function textOf(body: Buffer | null): string | null {
  return body !== null && body.length <= maxText && isAscii(body) ? body.toString('latin1') : null;
}

const spaces = /[ \t]*,[ \t]*/g;

/**
 * Returns the value of a request header for comparison with another request. For a missing header, returns a string that no header can
 * contain.
 */
export function selectingValue(headers: HeaderMap, name: string): string {
  const value = headers.joined(name);
  if (value === undefined) return '\n';
  const text = value.includes(',') ? value.trim().replace(spaces, ',') : value;
  return name.startsWith('accept-') ? text.toLowerCase() : text;
}

export function encodeHead(head: StoredHead): Buffer {
  const { freshness: f } = head;
  const flags = (f.noCache ? 1 : 0) | (f.mustRevalidate ? 2 : 0) | (f.immutable ? 4 : 0);
  const numbers = [head.time, f.initialAge, f.lifetime, f.staleWhileRevalidate, f.staleIfError, flags];
  return Buffer.from(
    JSON.stringify([head.status, head.names, head.values, head.varyNames, head.varyValues, head.tags, numbers]),
  );
}

type Encoded = [
  number,
  string[],
  string[],
  string[],
  string[],
  string[],
  [number, number, number, number, number, number],
];

/** Decodes the result of {@link encodeHead}. */
export function decodeHead(bytes: Buffer): StoredHead {
  const [status, names, values, varyNames, varyValues, tags, numbers] = JSON.parse(bytes.toString('utf8')) as Encoded;
  const [time, initialAge, lifetime, staleWhileRevalidate, staleIfError, flags] = numbers;
  return {
    status,
    names,
    values,
    varyNames,
    varyValues,
    time,
    tags,
    freshness: {
      initialAge,
      lifetime,
      staleWhileRevalidate,
      staleIfError,
      noCache: (flags & 1) !== 0,
      mustRevalidate: (flags & 2) !== 0,
      immutable: (flags & 4) !== 0,
    },
  };
}
