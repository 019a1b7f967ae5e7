/** What errors of a Redis mean. */

/** Beginnings of replies that say: not here, or not now. */
const elsewhere = ['READONLY', 'LOADING', 'MASTERDOWN', 'NOREPLICAS', 'CLUSTERDOWN', 'MISCONF', 'BUSY'];

/** Whether the server has said no: then nothing was done, as scripts write nothing before the last thing that can be refused. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Whether another server, or the same one later, may say yes. */
export function isElsewhere(error: unknown): boolean {
  return error instanceof Error && elsewhere.some((word) => error.message.startsWith(word));
}

/** Whether a connection is gone, rather than silent. */
export function isLoss(error: unknown): boolean {
  return error instanceof Error && !isRefusal(error) && !error.message.includes('timed out');
}
