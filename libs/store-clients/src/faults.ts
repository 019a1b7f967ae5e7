/** What can go wrong with an engine, as whoever uses it wants to be told. */

/** Makes the errors of one user of a client. */
export interface StoreFaults {
  /** It cannot be reached, or refuses: nothing was done. */
  refused(message: string, cause?: unknown): Error;
  /** It may have done what it was asked for, or may still do it. */
  unknown(cause: unknown): Error;
}
