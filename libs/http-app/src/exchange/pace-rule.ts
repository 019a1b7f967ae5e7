/** Rules that limit how long a client may keep the server waiting. */

/** Limits for slow clients. */
export interface PaceRule {
  /** Maximum time without progress, in milliseconds. 0 means no limit. */
  readonly timeout: number;
  /**
   * Minimum transfer rate, in bytes per second. Each transferred byte extends `timeout` according to this rate, and `timeout` applies to
   * the entire body. If 0, any progress restarts the timeout.
   */
  readonly rate: number;
  /** Number of response bytes that count as progress. Used if smaller amounts can't be measured. */
  readonly chunk: number;
}
