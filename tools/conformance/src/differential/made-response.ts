/** A generated response. */
import type { PairResponse } from './pair.ts';

/** A response with notes on its peculiarities. */
export interface MadeResponse {
  readonly response: PairResponse;
  readonly notes: readonly string[];
}
