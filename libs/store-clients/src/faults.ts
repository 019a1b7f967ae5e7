/** Store failures from the perspective of the caller. */

/** Creates the errors for one user of a client. */
export interface StoreFaults {
  /** The store is unavailable or rejected the call: nothing was changed. */
  refused(message: string, cause?: unknown): Error;
  /** The store may have executed the call, or may still execute it. */
  unknown(cause: unknown): Error;
}
