/** `http.reverse_proxy.selection_policies.first`: the first one that is available. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy: SelectionPolicy = {
  select(upstreams) {
    for (const upstream of upstreams) if (upstream.available) return upstream;
    return null;
  },
};

/** The module. */
export const firstModule = defineModule(selectionPolicies, {
  name: 'first',
  help: 'Chooses the first upstream that is available: the others stand by.',
  config: options({}),
  provision: () => policy,
});
