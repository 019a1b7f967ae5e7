/** Errors of the admin API. */
import { isProgrammingError } from '@sluice/registry';
import { SluiceError } from '@sluice/base';

const brand = Symbol.for('sluice.request-error');

/** What a {@link RequestError} is made of beside its code and message. */
interface RequestErrorOptions {
  readonly status: number;
  /** Default: `status`. */
  readonly preciseStatus?: number;
  readonly cause?: unknown;
}

/**
 * A request that can't be done. Plain changes of `/config/` respond with `status`, which is the reference's; where we go beyond
 * the reference (patches, dry runs) the response is `preciseStatus`, which never blames the server for the client's fault.
 */
export class RequestError extends SluiceError {
  readonly preciseStatus: number;

  constructor(code: string, message: string, { status, preciseStatus = status, cause }: RequestErrorOptions) {
    super(code, message, { status, cause });
    this.preciseStatus = preciseStatus;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Tells a {@link RequestError} of any copy of this package. */
export function isRequestError(error: unknown): error is RequestError {
  return typeof error === 'object' && error !== null && brand in error;
}

/** A request that the admin API can't read, or won't: its method, headers, path or body. */
export function requestError(message: string, status = 400, preciseStatus: number = status): RequestError {
  return new RequestError('ERR_ADMIN_REQUEST', message, { status, preciseStatus });
}

/** A path that leads nowhere or through a value that has no inside. Reading responds with 400, changing 500. */
export function traversalError(message: string, status: number, preciseStatus: number): RequestError {
  return new RequestError('ERR_ADMIN_PATH', message, { status, preciseStatus });
}

/** Something that the sender of a request is not allowed to do. The admin API logs it. */
export function forbidden(message: string): RequestError {
  return new RequestError('ERR_ADMIN_FORBIDDEN', message, { status: 403 });
}

/** A body that is not JSON, or that is not accepted. */
export function bodyError(message: string, cause?: unknown): RequestError {
  return new RequestError('ERR_ADMIN_BODY', `decoding request body: ${message}`, {
    status: 500,
    preciseStatus: 400,
    cause,
  });
}

/** An address that the admin endpoint can't listen on. Status 400. */
export function addressError(message: string, cause?: unknown): SluiceError {
  return new SluiceError('ERR_ADMIN_ADDRESS', message, { status: 400, cause });
}

/** Whether an error, or what caused it, is a programmer's mistake rather than a refusal: these are logged with their stack. */
export function isBug(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isProgrammingError(cause)) return true;
  }
  return !(error instanceof Error);
}
