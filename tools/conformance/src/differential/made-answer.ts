/** A generated response. */
import type { Answer } from './pair.ts';

/** A response, and what is special about it. */
export interface MadeAnswer {
  readonly answer: Answer;
  readonly notes: readonly string[];
}
