/** A generated response. */
import type { PairResponse } from './pair.ts';

/** A response, and what is special about it. */
export interface MadeResponse {
  readonly response: PairResponse;
  readonly notes: readonly string[];
}
