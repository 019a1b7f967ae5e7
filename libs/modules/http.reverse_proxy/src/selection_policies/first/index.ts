/** `http.reverse_proxy.selection_policies.first`: selects the first available upstream. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy: SelectionPolicy = {
  select(upstreams) {
    for (const upstream of upstreams) if (upstream.available) return upstream;
    return null;
  },
};

export const firstModule = defineModule(selectionPolicies, {
  name: 'first',
  help: 'Selects the first available upstream in the list. The other upstreams serve as backups.',
  config: options({}),
  provision: () => policy,
});
