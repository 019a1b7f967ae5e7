/** Result of the active health checks of an upstream. */

/** A check of an upstream that is over. */
export interface HealthCheck {
  /** Time (ISO 8601). */
  readonly time: string;
  /** Problem that was found; `null` if the check passed. */
  readonly problem: string | null;
}

/** Tells whether active checks find an upstream healthy. */
export interface HealthMark {
  readonly healthy: boolean;
  /** When checks came to this verdict, in milliseconds since 1970; 0 before the first one. */
  readonly since: number;
  /** Time at which checks last found it healthy after it was unhealthy; 0 before. */
  readonly recoveredAt: number;
  /** The last check that this thread has made; `null` before the first one, and where another thread checks. */
  readonly last: HealthCheck | null;
}
