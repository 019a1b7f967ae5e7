/** A list that a connection is in. */
export interface RouteStep {
  /** Enclosing list. */
  readonly outer: RouteStep | null;
  /** Called when all handlers of the chosen route have passed the connection on. */
  passed(): void;
}

export class Steps {
  current: RouteStep | null = null;
}
