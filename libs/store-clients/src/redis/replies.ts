/** Classifies Redis errors. */

/** Prefixes of error replies that are temporary or specific to this server. */
const elsewhere = ['READONLY', 'LOADING', 'MASTERDOWN', 'NOREPLICAS', 'CLUSTERDOWN', 'MISCONF', 'BUSY'];

/**
 * Reports whether the server rejected a script. Nothing was changed, because scripts complete all checks before they
 * write.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Reports whether another server, or the same one later, may accept the call. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof Error && elsewhere.some((word) => error.message.startsWith(word));
}

/** Reports whether a connection was lost, as opposed to a timeout. */
export function isLoss(error: unknown): boolean {
  return error instanceof Error && !isRefusal(error) && !error.message.includes('timed out');
}
