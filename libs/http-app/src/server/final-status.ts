import { clientClosedRequest, statusOf } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** Returns the status that was sent. If no status was sent, returns 499 after a client disconnect, and otherwise the error status or 0. */
export function finalStatus({ writer, aborted, error }: Exchange): number {
  if (writer.status !== 0) return writer.status;
  if (aborted) return clientClosedRequest;
  return error === null ? 0 : statusOf(error);
}
