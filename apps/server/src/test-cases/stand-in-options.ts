/** Options of mock upstreams in test cases. */
import { messageOf, parseDuration } from '@sluice/base';
import { parseDialAddress } from '@sluice/http-app';
import type { CaseOptions, StandInOptions } from './case-schema.ts';
import { errorAt, type LocatedText } from './located-text.ts';

export interface StandInResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Milliseconds. */
  readonly delay: number;
  readonly error: 'refused' | 'reset' | 'timeout' | 'cut' | null;
}

/**
 * Mock responses, keyed by dial address in the form that `addressKey` returns. The list contains the responses to the first request, the
 * second one, and so on.
 */
export type StandIns = ReadonlyMap<string, readonly StandInResponse[]>;

/** Key of the mock responses for all addresses that have no entry. */
export const anyAddress = '*';

/** Normalizes a dial address for use as a key. */
export function addressKey(address: string): string {
  return address === anyAddress ? address : parseDialAddress(address).text;
}

/** Parses the mock upstreams of a test case. `path` is their location in the file. */
export function readStandIns(
  declared: CaseOptions['upstreams'],
  located: LocatedText,
  path: readonly string[],
): StandIns {
  const read = new Map<string, readonly StandInResponse[]>();
  for (const [address, responses] of Object.entries(declared ?? {})) {
    const at = [...path, address];
    try {
      read.set(addressKey(address), (Array.isArray(responses) ? responses : [responses]).map(responseOf));
    } catch (error) {
      throw errorAt(located.placeOf(at), messageOf(error), error);
    }
  }
  return read;
}

function responseOf({ status, headers, body, delay, error }: StandInOptions): StandInResponse {
  return {
    status: status ?? 200,
    headers: linesOf(headers),
    body: bytesOf(body),
    delay: parseDuration(delay ?? 0),
    error: error ?? null,
  };
}

/** Returns header fields as pairs. Names are in lower case. */
export function linesOf(fields: StandInOptions['headers']): (readonly [name: string, value: string])[] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((line) => [name.toLowerCase(), line] as const),
  );
}

/** Decodes a message body, in the format of test cases. */
export function bytesOf(body: StandInOptions['body']): Buffer {
  if (body == null) return Buffer.alloc(0);
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.base64, 'base64');
}
