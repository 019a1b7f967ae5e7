/** `http.reverse_proxy.selection_policies.random`: any upstream. */
import { selectionPolicies, type SelectionPolicy, type Upstream } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy: SelectionPolicy = {
  select(upstreams) {
    const { length } = upstreams;
    if (length === 1) return (upstreams[0] as Upstream).available ? (upstreams[0] as Upstream) : null;
    const first = Math.floor(Math.random() * length);
    if (length > 0 && (upstreams[first] as Upstream).available) return upstreams[first] as Upstream;
    const available = upstreams.filter((upstream) => upstream.available);
    return available[Math.floor(Math.random() * available.length)] ?? null;
  },
};

/** The module. */
export const randomModule = defineModule(selectionPolicies, {
  name: 'random',
  help: 'Chooses an upstream at random.',
  config: options({}),
  provision: () => policy,
});
