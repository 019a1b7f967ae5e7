/** Requests of clients and their responses. */
import type { Json } from '@sluice/base';

export interface Change {
  readonly op: string;
  readonly client: number;
  /** Start time in milliseconds of a monotonic clock. */
  readonly called: number;
  readonly responded: number;
  readonly outcome: 'committed' | 'refused' | 'unknown';
  /** Revision in the response, or `null` if it had none. */
  readonly revision: number | null;
  /** The response as text, for reports of violations. */
  readonly said: string;
}

/** A read that required at least the highest revision that any client had observed. */
export interface Read {
  readonly client: number;
  readonly called: number;
  readonly responded: number;
  readonly revision: number;
  /** Path, and the value there, or `undefined` if there was none. */
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

/** A revision, as the fleet reports it. */
export interface Revision {
  readonly revision: number;
  readonly op: string;
  readonly patch: readonly Json[];
}

/** The history of a trial. */
export interface History {
  readonly changes: readonly Change[];
  readonly reads: readonly Read[];
  /** All revisions, starting with the first. */
  readonly revisions: readonly Revision[];
}
