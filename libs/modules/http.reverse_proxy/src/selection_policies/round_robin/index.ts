/** `http.reverse_proxy.selection_policies.round_robin`: one after the other. */
import { selectionPolicies, type SelectionPolicy, type Upstream } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { sharedTurn } from '../../common/turn.ts';

/** The module. */
export const roundRobinModule = defineModule(selectionPolicies, {
  name: 'round_robin',
  help: 'Chooses one upstream after the other.',
  config: options({}),
  provision(_config, context): SelectionPolicy {
    const turn = sharedTurn(context);
    return {
      select(upstreams) {
        for (let i = 0; i < upstreams.length; i++) {
          const upstream = upstreams[turn() % upstreams.length] as Upstream;
          if (upstream.available) return upstream;
        }
        return null;
      },
    };
  },
});
