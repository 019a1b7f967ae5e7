const brand = Symbol.for('sluice.http-error');
const abortBrand = Symbol.for('sluice.abort-error');
const cutBrand = Symbol.for('sluice.cut-error');
const goneBrand = Symbol.for('sluice.client-gone-error');

/**
 * An error that a handler or matcher throws for one request. Error routes handle the error. If there are no error routes, the client
 * receives the status with an empty body. Logs and `{http.error.message}` contain the message.
 */
export class HttpError extends Error {
  readonly code = 'ERR_HTTP';
  /** HTTP status code, from 100 to 999. */
  readonly status: number;

  constructor(status: number, message = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HttpError';
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Reports whether an error is an {@link HttpError}, even if another copy of this package created the error. */
export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Thrown to close the connection without a response. `static_response` with `abort`, for example, throws this error. */
export class AbortError extends Error {
  readonly code = 'ERR_HTTP_ABORT';

  constructor(message = 'the handler aborted the connection') {
    super(message);
    this.name = 'AbortError';
    Object.defineProperty(this, abortBrand, { value: true });
  }
}

/**
 * Thrown when a response has started but can't be completed. The server closes the connection, so that clients don't treat the partial
 * response as complete.
 */
export class CutError extends AbortError {
  constructor(message: string) {
    super(message);
    this.name = 'CutError';
    Object.defineProperty(this, cutBrand, { value: true });
  }
}

/** Reports whether an error is a {@link CutError}, even if another copy of this package created the error. */
export function isCutError(error: unknown): error is CutError {
  return typeof error === 'object' && error !== null && cutBrand in error;
}

/** Reports whether an error is an {@link AbortError}, even if another copy of this package created the error. */
export function isAbortError(error: unknown): error is AbortError {
  return typeof error === 'object' && error !== null && abortBrand in error;
}

/** Status for logs and metrics if the client disconnects before the response. */
export const clientClosedRequest = 499;

/** Error for a client that disconnects before the response is complete. Never sent to a client. */
export class ClientGoneError extends Error {
  readonly code = 'ERR_CLIENT_GONE';

  constructor(message = 'the client closed the connection') {
    super(message);
    this.name = 'ClientGoneError';
    Object.defineProperty(this, goneBrand, { value: true });
  }
}

/** Reports whether an error is a {@link ClientGoneError}, even if another copy of this package created the error. */
export function isClientGoneError(error: unknown): error is ClientGoneError {
  return typeof error === 'object' && error !== null && goneBrand in error;
}

/** Reports whether an exception is a bug rather than an error that a handler threw deliberately. */
export function isUnexpected(error: unknown): boolean {
  if (isAbortError(error) || isClientGoneError(error)) return false;
  return typeof (error as { status?: unknown } | null | undefined)?.status !== 'number';
}

/** Returns the HTTP status for any thrown value. This is the status of an `HttpError`, and 500 for other values. */
export function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 100 && status <= 999 ? status : 500;
}
