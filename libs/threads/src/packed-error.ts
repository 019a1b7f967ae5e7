/** Serializes errors that are sent between threads. A structured clone would lose the error code, status and path. */
import { isSluiceError, messageOf, SluiceError } from '@sluice/base';

export interface PackedError {
  readonly code: string;
  readonly status: number;
  readonly where: string | null;
  /** Error message without the path prefix. */
  readonly message: string;
}

export function packError(error: unknown): PackedError {
  if (!isSluiceError(error)) return { code: 'ERR_THREAD', status: 500, where: null, message: messageOf(error) };
  const prefix = error.where === null ? '' : `${error.where}: `;
  const message = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  return { code: error.code, status: error.status, where: error.where, message };
}

/** Recreates an error in the receiving thread. */
export function unpackError({ code, status, where, message }: PackedError): SluiceError {
  return new SluiceError(code, message, { status, where: where ?? undefined });
}
