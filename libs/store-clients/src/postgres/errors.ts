/** What errors of a PostgreSQL mean: by their SQLSTATE. */

/** The SQLSTATE that a server sent; empty for errors of the connection. */
function stateOf(error: unknown): string {
  const { code, severity } = (error ?? {}) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : '';
}

/** Whether the server has said no, and has undone what it began. It may not have where it was stopped, or told to cancel while it waited for standbys. */
export function isRefusal(error: unknown): boolean {
  const state = stateOf(error);
  return state !== '' && !['08', '57', 'XX'].includes(state.slice(0, 2));
}

/** Whether another server, or the same one later, may say yes: it takes no writes, has no room, or two transactions were in each other's way. */
export function isElsewhere(error: unknown): boolean {
  const state = stateOf(error);
  return state === '25006' || state.startsWith('53') || state.startsWith('40');
}
