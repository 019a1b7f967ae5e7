/** `http.reverse_proxy.selection_policies.random`: any upstream. */
import { type Upstream, randomPolicy, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy = randomPolicy((upstreams, exchange, chance) => {
  const { length } = upstreams;
  if (length === 1) return (upstreams[0] as Upstream).available ? (upstreams[0] as Upstream) : null;
  const first = Math.floor(chance(exchange) * length);
  if (length > 0 && (upstreams[first] as Upstream).available) return upstreams[first] as Upstream;
  const available = upstreams.filter((upstream) => upstream.available);
  return available[Math.floor(chance(exchange) * available.length)] ?? null;
});

/** The module. */
export const randomModule = defineModule(selectionPolicies, {
  name: 'random',
  help: 'Selects an upstream at random.',
  config: options({}),
  provision: () => policy,
});
