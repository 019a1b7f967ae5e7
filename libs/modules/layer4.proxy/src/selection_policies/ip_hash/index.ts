/** `layer4.proxy.selection_policies.ip_hash`: selects the same upstream for the same client. */
import { selectByHash } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const ipHashModule = defineModule(layer4Policies, {
  name: 'ip_hash',
  help: 'Selects by client address: the same client gets the same upstream.',
  config: options({}),
  provision: () => ({ select: (upstreams, { facts }) => selectByHash(upstreams, facts.remoteAddress) }),
});
