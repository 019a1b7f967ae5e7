/** Converts file system errors to HTTP errors. */
import { HttpError } from '@sluice/http-app';

/** HTTP statuses by `node:fs` error code. All other codes result in status 500. */
const statuses: Readonly<Record<string, number>> = {
  ENOENT: 404,
  ENOTDIR: 404,
  EACCES: 403,
  EPERM: 403,
  EINVAL: 400,
  ELOOP: 400,
  ENAMETOOLONG: 400,
  ENXIO: 400,
  EMFILE: 503,
  ENFILE: 503,
};

const messages: Readonly<Record<number, string>> = {
  400: 'invalid argument',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
};

/** Creates an HTTP error without a message, because its status is self-explanatory. */
export function fileError(status: number, cause?: unknown): HttpError {
  return new HttpError(status, messages[status] ?? '', cause);
}

export function fromFileSystem(error: unknown): HttpError {
  const { code } = error as { code?: unknown };
  const status = typeof code === 'string' ? (statuses[code] ?? 500) : 500;
  return status === 500 || status === 503
    ? new HttpError(status, `the file cannot be read: ${String(code ?? error)}`, error)
    : fileError(status, error);
}
