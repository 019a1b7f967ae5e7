/** A pair: what a client sends to the proxy, and what the upstream responds to whatever the proxy makes of it. */

/** Bytes as text, one character per byte. */
export type Bytes = string;

/** How an upstream responds to a request. */
export interface PairResponse {
  /** Sent one after the other, with a moment between them. */
  readonly pieces: readonly Bytes[];
  /** What becomes of the connection after them. */
  readonly then: 'keep' | 'end' | 'reset';
}

/** A pair. Its number stands in the path of the request, so that the upstream finds the response. */
export interface Pair {
  readonly number: number;
  /** Part of the configuration that it goes through, the first segment of its path. */
  readonly route: string;
  readonly method: string;
  readonly request: Bytes;
  readonly response: PairResponse;
  /** What is special about it, for reading. */
  readonly notes: readonly string[];
}

/** The path segment that tells the number of a pair. */
export function numberIn(target: string): number | null {
  const found = /\/p(\d+)/.exec(target);
  return found === null ? null : Number(found[1]);
}
