/** Server identity. Few configurations use an identity, so its code is loaded only for these configurations. */
import type { IdentityProvision } from '@sluice/contracts';

/** The service `identityProvision`. */
export const provisionIdentity: IdentityProvision = async (node, context) => {
  const { provisionIdentity: provision } = await import('@sluice/tls-app/identity');
  return provision(node, context);
};
