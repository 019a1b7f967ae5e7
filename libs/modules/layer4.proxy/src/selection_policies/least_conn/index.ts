/** `layer4.proxy.selection_policies.least_conn`: selects the upstream with the fewest connections. */
import { leastRequests } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const leastConnModule = defineModule(layer4Policies, {
  name: 'least_conn',
  help: 'Selects the upstream with the fewest connections. Ties are broken at random.',
  config: options({}),
  provision: () => ({ select: (upstreams, connection) => leastRequests(upstreams, connection, Math.random) }),
});
