/** What goes wrong with an upstream. */

const brand = Symbol.for('sluice.upstream-error');

/**
 * - `dial`: there is no connection, so the upstream has seen nothing of the request;
 * - `timeout`: a time-out of the transport passed, that of dialing excepted;
 * - `closed`: the connection was lost, before or while the upstream responded;
 * - `malformed`: what came is not a response that could be passed on;
 * - `dial-timeout`: dialing took too long.
 */
export type UpstreamFailure = 'dial' | 'dial-timeout' | 'timeout' | 'closed' | 'malformed';

/** An error of an upstream. Routes see it as an error of status 502 or 504. */
export class UpstreamError extends Error {
  readonly code = 'ERR_UPSTREAM';
  readonly kind: UpstreamFailure;
  /** 504 where time ran out, else 502. */
  readonly status: number;

  constructor(kind: UpstreamFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = kind === 'timeout' || kind === 'dial-timeout' ? 504 : 502;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether the upstream cannot have seen anything of the request. */
  get undelivered(): boolean {
    return this.kind === 'dial' || this.kind === 'dial-timeout';
  }
}

/** Tells an {@link UpstreamError} of any copy of this package. */
export function isUpstreamError(error: unknown): error is UpstreamError {
  return typeof error === 'object' && error !== null && brand in error;
}
