/** Store failures, classified by whether the call may have had an effect. */

/** Creates the errors for one user of a store client. */
export interface StoreFaults {
  /** Creates the error for a store that is unavailable or rejected the call. Nothing was changed. */
  refused(message: string, cause?: unknown): Error;
  /** Creates the error for a call that the store may have executed, or may still execute. */
  unknown(cause: unknown): Error;
}
