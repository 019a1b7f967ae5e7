/** `http.reverse_proxy.selection_policies.ip_hash`: selects the same upstream for the same peer IP address. */
import { type SelectionPolicy, selectByHash, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

/** Address used for peers on Unix sockets, as in Caddy. */
const unixPeer = '@';

const policy: SelectionPolicy = {
  select: (upstreams, exchange) => selectByHash(upstreams, exchange.connection.remoteAddress || unixPeer),
};

export const ipHashModule = defineModule(selectionPolicies, {
  name: 'ip_hash',
  help: 'Selects an upstream by peer IP address. Requests from the same peer go to the same upstream.',
  config: options({}),
  provision: () => policy,
});
