/** Server identity. Few configurations use an identity, so its code is loaded only for these configurations. */
import type { IdentityProvision } from '@sluice/contracts';

/** The service `identityProvision`. */
export const provisionIdentity: IdentityProvision = async (node, context) => {
  const identity = await import('@sluice/tls-app');
  return identity.provisionIdentity(node, context);
};
