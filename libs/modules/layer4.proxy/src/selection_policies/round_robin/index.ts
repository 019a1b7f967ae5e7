/** `layer4.proxy.selection_policies.round_robin`: selects upstreams in turn. */
import { selectInTurn, sharedTurn } from '@sluice/http-app';
import { layer4Policies } from '@sluice/layer4-app';
import { defineModule, options } from '@sluice/registry';

export const roundRobinModule = defineModule(layer4Policies, {
  name: 'round_robin',
  help: 'Selects upstreams in turn.',
  config: options({}),
  provision(_, context) {
    const turn = sharedTurn(context);
    return { select: (upstreams) => selectInTurn(upstreams, turn) };
  },
});
