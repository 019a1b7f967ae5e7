/** `http.reverse_proxy.selection_policies.round_robin`: selects upstreams in turn. */
import { earlierRequests, selectInTurn, selectionPolicies, sharedTurn, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

export const roundRobinModule = defineModule(selectionPolicies, {
  name: 'round_robin',
  help: 'Selects upstreams in turn.',
  config: options({}),
  provision(_config, context): SelectionPolicy {
    const turn = sharedTurn(context);
    return {
      select: (upstreams) => selectInTurn(upstreams, turn),
      considers: (share) => share,
      watched: ({ rehearsal }) => ({
        select: (upstreams, exchange) => {
          rehearsal?.depends(exchange, earlierRequests);
          return selectInTurn(upstreams, rehearsal === null ? turn : turn.peek());
        },
      }),
    };
  },
});
