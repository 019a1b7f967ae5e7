/** A response that was made up. */
import type { Answer } from './pair.ts';

/** An answer, and what is special about it. */
export interface MadeAnswer {
  readonly answer: Answer;
  readonly notes: readonly string[];
}
