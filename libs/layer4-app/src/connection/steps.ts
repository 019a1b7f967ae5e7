/** A route list that a connection has entered. */
export interface RouteStep {
  /** Enclosing list. */
  readonly outer: RouteStep | null;
  /** Called when all handlers of the selected route have passed the connection on by calling `next`. */
  passed(): void;
}

export class Steps {
  current: RouteStep | null = null;
}
