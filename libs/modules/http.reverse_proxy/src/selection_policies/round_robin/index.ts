/** `http.reverse_proxy.selection_policies.round_robin`: one after the other. */
import { selectionPolicies, type SelectionPolicy, type Upstream } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { earlierRequests, sharedTurn, type Turn } from '../../common/turn.ts';

/** The module. */
export const roundRobinModule = defineModule(selectionPolicies, {
  name: 'round_robin',
  help: 'Selects upstreams in turn.',
  config: options({}),
  provision(_config, context): SelectionPolicy {
    const turn = sharedTurn(context);
    return {
      select: (upstreams) => selectNext(upstreams, turn),
      watched: ({ rehearsal }) => ({
        select: (upstreams, exchange) => {
          rehearsal?.depends(exchange, earlierRequests);
          return selectNext(upstreams, rehearsal === null ? turn : turn.peek());
        },
      }),
    };
  },
});

function selectNext(upstreams: readonly Upstream[], turn: Turn): Upstream | null {
  for (let i = 0; i < upstreams.length; i++) {
    const upstream = upstreams[turn.next() % upstreams.length] as Upstream;
    if (upstream.available) return upstream;
  }
  return null;
}
