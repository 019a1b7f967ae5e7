/** Classifies Redis errors. */

/** Prefixes of error replies that are temporary or specific to one server. */
const elsewhere = ['READONLY', 'LOADING', 'MASTERDOWN', 'NOREPLICAS', 'CLUSTERDOWN', 'MISCONF', 'BUSY'];

/** Reports whether the server rejected a script. In that case nothing was changed, because scripts complete all checks before they write. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Reports whether the call may succeed on another server, or later on the same server. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof Error && elsewhere.some((word) => error.message.startsWith(word));
}

/** Reports whether an error means that the connection was lost, as opposed to a timeout. */
export function isLoss(error: unknown): boolean {
  return error instanceof Error && !isRefusal(error) && !error.message.includes('timed out');
}
