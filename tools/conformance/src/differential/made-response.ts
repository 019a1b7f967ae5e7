/** A generated response. */
import type { PairResponse } from './pair.ts';

/** A generated response with notes about its unusual properties. */
export interface MadeResponse {
  readonly response: PairResponse;
  readonly notes: readonly string[];
}
