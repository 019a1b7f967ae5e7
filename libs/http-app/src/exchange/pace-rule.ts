/** How long a client may keep its server waiting, as a rule. */

/** What a client has to keep to. */
export interface PaceRule {
  /** Longest time without progress, in milliseconds; 0 for none. */
  readonly timeout: number;
  /** Bytes a second that buy more time than `timeout` for all of the body; 0: progress begins it again. */
  readonly rate: number;
  /** So many bytes of a response are progress where no smaller number of them can be told. */
  readonly chunk: number;
}
