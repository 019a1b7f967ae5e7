/** Position of a connection in nested route lists. */

/** A list that a connection is in. */
export interface RouteStep {
  /** Enclosing list. */
  readonly outer: RouteStep | null;
  /** All handlers of the chosen route passed the connection on. */
  passed(): void;
}

/** The innermost list. */
export class Steps {
  current: RouteStep | null = null;
}
