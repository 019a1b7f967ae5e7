/** Errors on their way between threads: a structured clone would lose code, status and place. */
import { isSluiceError, messageOf, SluiceError } from '@sluice/base';

/** What crosses. */
export interface PackedError {
  readonly code: string;
  readonly status: number;
  readonly where: string | null;
  /** Without the place in front. */
  readonly message: string;
}

/** Makes an error ready to be sent. */
export function packError(error: unknown): PackedError {
  if (!isSluiceError(error)) return { code: 'ERR_THREAD', status: 500, where: null, message: messageOf(error) };
  const prefix = error.where === null ? '' : `${error.where}: `;
  const message = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  return { code: error.code, status: error.status, where: error.where, message };
}

/** Makes the error again in the thread that gets it. */
export function unpackError({ code, status, where, message }: PackedError): SluiceError {
  return new SluiceError(code, message, { status, where: where ?? undefined });
}
