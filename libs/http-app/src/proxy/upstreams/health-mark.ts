/** Result of the active health checks of an upstream. */

/** A completed check of an upstream. */
export interface HealthCheck {
  /** Time (ISO 8601). */
  readonly time: string;
  /** Problem that was found; `null` if the check passed. */
  readonly problem: string | null;
}

export interface HealthMark {
  readonly healthy: boolean;
  /** Time when the current verdict began, in milliseconds since 1970; 0 before the first check. */
  readonly since: number;
  /** Time when checks last found the upstream healthy again, in milliseconds since 1970; 0 if never. */
  readonly recoveredAt: number;
  /** Last check; `null` before the first check, and in threads that don't check. */
  readonly last: HealthCheck | null;
}
