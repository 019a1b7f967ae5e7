/** Classifies PostgreSQL errors by SQLSTATE. */

/** Returns the SQLSTATE of a server error; empty for connection errors. */
function stateOf(error: unknown): string {
  const { code, severity } = (error ?? {}) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : '';
}

/**
 * Reports whether the server rejected the statement and rolled it back. This is uncertain if the server was stopped, or canceled the
 * statement while waiting for standbys.
 */
export function isRefusal(error: unknown): boolean {
  const state = stateOf(error);
  return state !== '' && !['08', '57', 'XX'].includes(state.slice(0, 2));
}

/**
 * Reports whether a retry may succeed, on another server or later, because this server is read-only or out of resources, or transactions
 * conflicted.
 */
export function isElsewhere(error: unknown): boolean {
  const state = stateOf(error);
  return state === '25006' || state.startsWith('53') || state.startsWith('40');
}
