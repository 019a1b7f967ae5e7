/** Recorded client requests with their responses. */
import type { Json } from '@sluice/base';

export interface Change {
  readonly op: string;
  readonly client: number;
  /** Start time of the request, in milliseconds of a monotonic clock. */
  readonly called: number;
  readonly responded: number;
  readonly outcome: 'committed' | 'refused' | 'unknown';
  /** Revision in the response, or `null` if there was none. */
  readonly revision: number | null;
  /** Response as text, for descriptions of violations. */
  readonly said: string;
}

/** A recorded read. The client required at least the highest revision that any client had observed. */
export interface Read {
  readonly client: number;
  readonly called: number;
  readonly responded: number;
  readonly revision: number;
  /** Path of the read, and the value at this path, or `undefined` if there was none. */
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

/** A revision, as reported by the fleet. */
export interface Revision {
  readonly revision: number;
  readonly op: string;
  readonly patch: readonly Json[];
}

/** Recorded history of a trial. */
export interface History {
  readonly changes: readonly Change[];
  readonly reads: readonly Read[];
  /** All revisions of the document, starting with the first. */
  readonly revisions: readonly Revision[];
}
