/** `layer4.proxy.selection_policies.ip_hash`: selects the same upstream for the same client IP. */
import { selectByHash } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const ipHashModule = defineModule(layer4Policies, {
  name: 'ip_hash',
  help: 'Selects an upstream by client IP address. Connections from the same client go to the same upstream.',
  config: options({}),
  provision: () => ({ select: (upstreams, { facts }) => selectByHash(upstreams, facts.remoteAddress) }),
});
