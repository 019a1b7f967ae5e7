const brand = Symbol.for('sluice.http-error');
const abortBrand = Symbol.for('sluice.abort-error');
const cutBrand = Symbol.for('sluice.cut-error');
const goneBrand = Symbol.for('sluice.client-gone-error');

/**
 * Error that a handler or matcher raises for one request. Error routes run, or the client gets the status with an empty body. The message
 * goes to logs and to `{http.error.message}`.
 */
export class HttpError extends Error {
  readonly code = 'ERR_HTTP';
  /** HTTP status, 100 to 999. */
  readonly status: number;

  constructor(status: number, message = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HttpError';
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Reports whether an error is an {@link HttpError} from any copy of this package. */
export function isHttpError(error: unknown): error is HttpError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Thrown to close the connection without a response, for example by `static_response` with `abort`. */
export class AbortError extends Error {
  readonly code = 'ERR_HTTP_ABORT';

  constructor(message = 'the handler aborted the connection') {
    super(message);
    this.name = 'AbortError';
    Object.defineProperty(this, abortBrand, { value: true });
  }
}

/**
 * Thrown when the rest of a started response is lost. The connection closes, so that clients don't consider the
 * response complete.
 */
export class CutError extends AbortError {
  constructor(message: string) {
    super(message);
    this.name = 'CutError';
    Object.defineProperty(this, cutBrand, { value: true });
  }
}

/** Reports whether an error is a {@link CutError} from any copy of this package. */
export function isCutError(error: unknown): error is CutError {
  return typeof error === 'object' && error !== null && cutBrand in error;
}

/** Reports whether an error is an {@link AbortError} from any copy of this package. */
export function isAbortError(error: unknown): error is AbortError {
  return typeof error === 'object' && error !== null && abortBrand in error;
}

/** Status to log and count for a request whose client disconnected before the response. */
export const clientClosedRequest = 499;

/** The client disconnected before the response was complete. Never shown to a client. */
export class ClientGoneError extends Error {
  readonly code = 'ERR_CLIENT_GONE';

  constructor(message = 'the client closed the connection') {
    super(message);
    this.name = 'ClientGoneError';
    Object.defineProperty(this, goneBrand, { value: true });
  }
}

/** Reports whether an error is a {@link ClientGoneError} from any copy of this package. */
export function isClientGoneError(error: unknown): error is ClientGoneError {
  return typeof error === 'object' && error !== null && goneBrand in error;
}

/** Reports whether an exception is a bug rather than an error that a handler raised on purpose. */
export function isUnexpected(error: unknown): boolean {
  if (isAbortError(error) || isClientGoneError(error)) return false;
  return typeof (error as { status?: unknown } | null | undefined)?.status !== 'number';
}

/** Returns the HTTP status for any thrown value: the status of an `HttpError`, otherwise 500. */
export function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 100 && status <= 999 ? status : 500;
}
