/** The identity of a server, which few have: its code is loaded when a configuration has one. */
import type { IdentityProvision } from '@sluice/contracts';

/** The service `identityProvision`. */
export const provisionIdentity: IdentityProvision = async (node, context) => {
  const identity = await import('@sluice/tls-app');
  return identity.provisionIdentity(node, context);
};
