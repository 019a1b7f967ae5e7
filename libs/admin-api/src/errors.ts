import { isProgrammingError } from '@sluice/registry';
import { SluiceError } from '@sluice/base';

const brand = Symbol.for('sluice.request-error');

interface RequestErrorOptions {
  readonly status: number;
  /** Default: `status`. */
  readonly preciseStatus?: number;
  readonly cause?: unknown;
}

/**
 * Error for an invalid request. Plain changes of `/config/` respond with `status`, as Caddy does. Features that Caddy lacks, such as
 * patches and dry runs, respond with `preciseStatus`. `preciseStatus` is a 4xx status for client errors.
 */
export class RequestError extends SluiceError {
  readonly preciseStatus: number;

  constructor(code: string, message: string, { status, preciseStatus = status, cause }: RequestErrorOptions) {
    super(code, message, { status, cause });
    this.preciseStatus = preciseStatus;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Reports whether an error is a {@link RequestError}, even if another copy of this package created the error. */
export function isRequestError(error: unknown): error is RequestError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Creates the error for a request that the admin API cannot parse or rejects because of its method, headers, path, or body. */
export function requestError(message: string, status = 400, preciseStatus: number = status): RequestError {
  return new RequestError('ERR_ADMIN_REQUEST', message, { status, preciseStatus });
}

/**
 * Creates the error for a path that doesn't exist or that passes through a scalar value. Reads respond with status 400, and changes with
 * status 500.
 */
export function traversalError(message: string, status: number, preciseStatus: number): RequestError {
  return new RequestError('ERR_ADMIN_PATH', message, { status, preciseStatus });
}

/** Creates the error for a request that lacks a permission. The admin API logs this error. */
export function forbidden(message: string): RequestError {
  return new RequestError('ERR_ADMIN_FORBIDDEN', message, { status: 403 });
}

/** Creates the error for an invalid or rejected request body. */
export function bodyError(message: string, cause?: unknown): RequestError {
  return new RequestError('ERR_ADMIN_BODY', `decoding request body: ${message}`, {
    status: 500,
    preciseStatus: 400,
    cause,
  });
}

/** Creates the error for an address that the admin endpoint cannot listen on. The status is 400. */
export function addressError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_ADMIN_ADDRESS', message, { status: 400, cause });
}

/**
 * Reports whether an error, or the error that caused it, indicates a bug rather than a rejected request. The log entry of a bug includes
 * the stack trace.
 */
export function isBug(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProgrammingError(cause)) return true;
  }
  return !(error instanceof Error);
}
