/** What clients asked for, and what they were told. */
import type { Json } from '@sluice/base';

/** A change. */
export interface Change {
  readonly op: string;
  /** Who asked: one after the other. */
  readonly client: number;
  /** Milliseconds of one monotonic clock. */
  readonly called: number;
  readonly responded: number;
  readonly outcome: 'committed' | 'refused' | 'unknown';
  /** As the response named it; `null` if it named none. */
  readonly revision: number | null;
  /** What was said, for whom a broken promise is shown. */
  readonly said: string;
}

/** A read that was to be at least of the last revision that any client had seen. */
export interface Read {
  readonly client: number;
  readonly called: number;
  readonly responded: number;
  readonly revision: number;
  /** Where, and what was there; `undefined` for nothing. */
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

/** A revision, as the fleet shows it. */
export interface Revision {
  readonly revision: number;
  readonly op: string;
  readonly patch: readonly Json[];
}

/** All of a trial. */
export interface History {
  readonly changes: readonly Change[];
  readonly reads: readonly Read[];
  /** From the first revision on. */
  readonly revisions: readonly Revision[];
}
