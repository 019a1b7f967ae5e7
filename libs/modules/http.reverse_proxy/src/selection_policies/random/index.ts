/** `http.reverse_proxy.selection_policies.random`: selects a random upstream. */
import { randomPolicy, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy = randomPolicy((upstreams, exchange, chance) => {
  const { length } = upstreams;
  const first = upstreams[length === 1 ? 0 : Math.floor(chance(exchange) * length)];
  if (first?.available) return first;
  if (length === 1) return null;
  const available = upstreams.filter((upstream) => upstream.available);
  return available[Math.floor(chance(exchange) * available.length)] ?? null;
});

export const randomModule = defineModule(selectionPolicies, {
  name: 'random',
  help: 'Selects an upstream at random.',
  config: options({}),
  provision: () => policy,
});
