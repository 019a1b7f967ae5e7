const brand = Symbol.for('sluice.upstream-error');

/**
 * Kinds of upstream failures:
 * - `dial`: no connection, so the upstream received no part of the request;
 * - `timeout`: a transport timeout other than the dial timeout;
 * - `closed`: the connection was lost before or during the response;
 * - `malformed`: the response is invalid and can't be proxied;
 * - `dial-timeout`: dialing timed out.
 */
export type UpstreamFailure = 'dial' | 'dial-timeout' | 'timeout' | 'closed' | 'malformed';

/** An upstream error. The client gets status 502 or 504. */
export class UpstreamError extends Error {
  readonly code = 'ERR_UPSTREAM';
  readonly kind: UpstreamFailure;
  /** Status for the client: 504 after a timeout, otherwise 502. */
  readonly status: number;

  constructor(kind: UpstreamFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = kind === 'timeout' || kind === 'dial-timeout' ? 504 : 502;
    Object.defineProperty(this, brand, { value: true });
  }

  /** True if the upstream can't have received any part of the request, so a retry is safe. */
  get undelivered(): boolean {
    return this.kind === 'dial' || this.kind === 'dial-timeout';
  }
}

/** Reports whether an error is an {@link UpstreamError}, even one from another loaded copy of this package. */
export function isUpstreamError(error: unknown): error is UpstreamError {
  return typeof error === 'object' && error !== null && brand in error;
}
