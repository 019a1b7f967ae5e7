/** Classifies PostgreSQL errors by SQLSTATE. */

/** Returns the SQLSTATE of a server error. Returns an empty string for connection errors. */
function stateOf(error: unknown): string {
  const { code, severity } = (error ?? {}) as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : '';
}

/**
 * Reports whether the server rejected a statement and rolled it back. This is uncertain if the server was stopped, or if it canceled the
 * statement while waiting for standbys.
 */
export function isRefusal(error: unknown): boolean {
  const state = stateOf(error);
  return state !== '' && !['08', '57', 'XX'].includes(state.slice(0, 2));
}

/**
 * Reports whether a retry may succeed on another server or later. This applies if the server is read-only or out of resources, or if
 * transactions conflicted.
 */
export function isElsewhere(error: unknown): boolean {
  const state = stateOf(error);
  return state === '25006' || state.startsWith('53') || state.startsWith('40');
}
