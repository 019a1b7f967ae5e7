/** Server identity. Its code is loaded only for configurations that use an identity, because these are rare. */
import type { IdentityProvision } from '@sluice/contracts';

/** The service `identityProvision`. */
export const provisionIdentity: IdentityProvision = async (node, context) => {
  const identity = await import('@sluice/tls-app');
  return identity.provisionIdentity(node, context);
};
