import { isProgrammingError } from '@sluice/registry';
import { SluiceError } from '@sluice/base';

const brand = Symbol.for('sluice.request-error');

/** Details of a {@link RequestError} in addition to code and message. */
interface RequestErrorOptions {
  readonly status: number;
  /** Default: `status`. */
  readonly preciseStatus?: number;
  readonly cause?: unknown;
}

/**
 * An invalid request. Plain changes of `/config/` respond with `status`, as in Caddy. Features beyond Caddy (patches,
 * dry runs) use `preciseStatus`, which is a client error for a client's mistake.
 */
export class RequestError extends SluiceError {
  readonly preciseStatus: number;

  constructor(code: string, message: string, { status, preciseStatus = status, cause }: RequestErrorOptions) {
    super(code, message, { status, cause });
    this.preciseStatus = preciseStatus;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Reports whether an error is a {@link RequestError} from any copy of this package. */
export function isRequestError(error: unknown): error is RequestError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** Creates the error for a request that the admin API can't read or rejects, because of its method, headers, path or body. */
export function requestError(message: string, status = 400, preciseStatus: number = status): RequestError {
  return new RequestError('ERR_ADMIN_REQUEST', message, { status, preciseStatus });
}

/** Creates the error for a missing path, or one through a scalar. Reads respond with 400, changes with 500. */
export function traversalError(message: string, status: number, preciseStatus: number): RequestError {
  return new RequestError('ERR_ADMIN_PATH', message, { status, preciseStatus });
}

/** Creates the error for a request without permission. The admin API logs it. */
export function forbidden(message: string): RequestError {
  return new RequestError('ERR_ADMIN_FORBIDDEN', message, { status: 403 });
}

/** Creates the error for an invalid or rejected body. */
export function bodyError(message: string, cause?: unknown): RequestError {
  return new RequestError('ERR_ADMIN_BODY', `decoding request body: ${message}`, {
    status: 500,
    preciseStatus: 400,
    cause,
  });
}

/** Creates the error for an address that the admin endpoint can't listen on. Status 400. */
export function addressError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_ADMIN_ADDRESS', message, { status: 400, cause });
}

/** Reports whether an error, or its cause, is a bug rather than a rejection: bugs are logged with a stack. */
export function isBug(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProgrammingError(cause)) return true;
  }
  return !(error instanceof Error);
}
