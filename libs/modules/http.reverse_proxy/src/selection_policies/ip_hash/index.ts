/** `http.reverse_proxy.selection_policies.ip_hash`: the same one for the same peer. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { selectByHash } from '../../common/rendezvous.ts';

const policy: SelectionPolicy = {
  select: (upstreams, exchange) => selectByHash(upstreams, exchange.connection.remoteAddress),
};

/** The module. */
export const ipHashModule = defineModule(selectionPolicies, {
  name: 'ip_hash',
  help: 'Chooses by the address of the peer: the same upstream for the same peer.',
  config: options({}),
  provision: () => policy,
});
