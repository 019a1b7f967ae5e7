/** What stands in for upstreams, as cases declare it. */
import { messageOf, parseDuration } from '@sluice/base';
import { parseDialAddress } from '@sluice/http-app';
import type { CaseOptions, StandInOptions } from './case-schema.ts';
import { errorAt, type LocatedText } from './located-text.ts';

/** The response to one request. */
export interface StandInResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Milliseconds. */
  readonly delay: number;
  readonly error: 'refused' | 'reset' | 'timeout' | 'cut' | null;
}

/** By dial address, as `addressKey` writes it: the responses to the first request, the second, and so on. */
export type StandIns = ReadonlyMap<string, readonly StandInResponse[]>;

/** Stands for every address that is not named. */
export const anyAddress = '*';

/** One text for all ways to write a dial address. */
export function addressKey(address: string): string {
  return address === anyAddress ? address : parseDialAddress(address).text;
}

/** Reads them. `path`: where they stand. */
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

/** Fields one by one, with names in lower case. */
export function linesOf(fields: StandInOptions['headers']): (readonly [name: string, value: string])[] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((line) => [name.toLowerCase(), line] as const),
  );
}

/** The bytes of a body as cases write it. */
export function bytesOf(body: StandInOptions['body']): Buffer {
  if (body == null) return Buffer.alloc(0);
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.base64, 'base64');
}
