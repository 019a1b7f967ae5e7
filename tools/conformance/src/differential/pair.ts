/** A pair of a client request and an upstream response. The response is fixed and does not depend on the forwarded request. */

export type Bytes = string;

/** Response of an upstream. */
export interface PairResponse {
  /** Chunks of the response to write, with a short pause between them. */
  readonly pieces: readonly Bytes[];
  /** Action that the upstream takes on the connection after the response. */
  readonly then: 'keep' | 'end' | 'reset';
}

/** A pair of request and response. The request path contains the pair number, which the upstream uses to find the response. */
export interface Pair {
  readonly number: number;
  /** First path segment. It selects the route in the configuration. */
  readonly route: string;
  readonly method: string;
  readonly request: Bytes;
  readonly response: PairResponse;
  /** Unusual properties of the pair, for reports. */
  readonly notes: readonly string[];
}

/** Returns the pair number in a request target, or `null` if there is none. */
export function numberIn(target: string): number | null {
  const found = /\/p(\d+)/.exec(target);
  return found === null ? null : Number(found[1]);
}
