/** Result of an upstream's active health checks. */

/** A completed check of an upstream. */
export interface HealthCheck {
  /** Time (ISO 8601). */
  readonly time: string;
  /** Problem that the check found; `null` if the check passed. */
  readonly problem: string | null;
}

export interface HealthMark {
  readonly healthy: boolean;
  /** Time of the last change between healthy and unhealthy, in milliseconds since 1970; 0 before the first check. */
  readonly since: number;
  /** Time when health checks last marked the upstream healthy again, in milliseconds since 1970; 0 if never. */
  readonly recoveredAt: number;
  /** Last check. `null` before the first check and in threads that don't run checks. */
  readonly last: HealthCheck | null;
}
