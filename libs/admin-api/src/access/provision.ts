/** Creates the access rules of the admin endpoints. Each kind of access is loaded only if it is configured. */
import type { Context } from '@sluice/registry';
import type { Sessions } from '../dashboard/sessions.ts';
import type { Access } from './access.ts';
import type { AccessOptions, CertificateAccess } from './certificates.ts';
import type { TokenOptions } from './tokens.ts';

/** Threads without an endpoint don't load the access rules. */
export async function loadOpenAccess(): Promise<Access> {
  return (await import('./access.ts')).openAccess;
}

/** Returns the access rules of the tokens, or `null` if no tokens are configured. */
export async function tokenAccess(
  tokens: readonly TokenOptions[] | null,
  context: Context,
  sessions?: Sessions,
): Promise<Access | null> {
  if (tokens === null) return null;
  const { TokenAccess, TokenError } = await import('./tokens.ts');
  try {
    return new TokenAccess(tokens, sessions);
  } catch (error) {
    const at = error instanceof TokenError ? error.at : [];
    throw context.error((error as Error).message, 'tokens', ...at);
  }
}

export async function certificateAccess(
  entries: readonly AccessOptions[],
  context: Context,
): Promise<CertificateAccess> {
  const { AccessError, CertificateAccess: Certificates } = await import('./certificates.ts');
  try {
    return new Certificates(entries);
  } catch (error) {
    const at = error instanceof AccessError ? error.at : [];
    throw context.error((error as Error).message, 'remote', 'access_control', ...at);
  }
}
