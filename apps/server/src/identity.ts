/** Server identity. The code is loaded only if a configuration uses an identity, which is rare. */
import type { IdentityProvision } from '@sluice/contracts';

/** The service `identityProvision`. */
export const provisionIdentity: IdentityProvision = async (node, context) => {
  const identity = await import('@sluice/tls-app');
  return identity.provisionIdentity(node, context);
};
