/** Rules for the time that a client may keep the server waiting. */

/** Limits for a slow client. */
export interface PaceRule {
  /** Maximum time without progress, in milliseconds; 0 means no limit. */
  readonly timeout: number;
  /** Bytes per second that extend `timeout`, which then applies to the whole body. 0 means any progress restarts the timeout. */
  readonly rate: number;
  /** Response bytes that count as progress if smaller amounts can't be measured. */
  readonly chunk: number;
}
