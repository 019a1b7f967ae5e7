/** Result of the active health checks of an upstream. */

/** A completed check of an upstream. */
export interface HealthCheck {
  /** Time (ISO 8601). */
  readonly time: string;
  /** Problem that was found; `null` if the check passed. */
  readonly problem: string | null;
}

/** Result of active checks for an upstream. */
export interface HealthMark {
  readonly healthy: boolean;
  /** Start of the current verdict, in milliseconds since 1970; 0 before the first check. */
  readonly since: number;
  /** Time of the last recovery, that is, when checks found the upstream healthy again; 0 before. */
  readonly recoveredAt: number;
  /** Last check by this thread; `null` before the first check, and if another thread checks. */
  readonly last: HealthCheck | null;
}
