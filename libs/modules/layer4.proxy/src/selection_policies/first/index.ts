/** `layer4.proxy.selection_policies.first`: selects the first available upstream. */
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const firstModule = defineModule(layer4Policies, {
  name: 'first',
  help: 'Selects the first available upstream in the list.',
  config: options({}),
  provision: () => ({ select: (upstreams) => upstreams.find(({ available }) => available) ?? null }),
});
