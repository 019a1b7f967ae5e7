/** `http.reverse_proxy.selection_policies.client_ip_hash`: selects the same upstream for the same client IP. */
import { type SelectionPolicy, selectByHash, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

const policy: SelectionPolicy = { select: (upstreams, exchange) => selectByHash(upstreams, exchange.clientIp) };

export const clientIpHashModule = defineModule(selectionPolicies, {
  name: 'client_ip_hash',
  help: 'Selects an upstream by client IP address, as reported by trusted proxies. Requests from the same client go to the same upstream.',
  config: options({}),
  provision: () => policy,
});
