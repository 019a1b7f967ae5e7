/** A pair of a client request and an upstream response. The response does not depend on the forwarded request. */

export type Bytes = string;

/** Response of an upstream. */
export interface PairResponse {
  /** Pieces to send, with a short pause between them. */
  readonly pieces: readonly Bytes[];
  /** Action on the connection afterwards. */
  readonly then: 'keep' | 'end' | 'reset';
}

/** A pair. The request's path contains its number, by which the upstream finds the response. */
export interface Pair {
  readonly number: number;
  /** First segment of the path. It selects the route of the configuration. */
  readonly route: string;
  readonly method: string;
  readonly request: Bytes;
  readonly response: PairResponse;
  /** Peculiarities of the pair, for reports. */
  readonly notes: readonly string[];
}

/** Returns the number of a pair from its path, or `null`. */
export function numberIn(target: string): number | null {
  const found = /\/p(\d+)/.exec(target);
  return found === null ? null : Number(found[1]);
}
