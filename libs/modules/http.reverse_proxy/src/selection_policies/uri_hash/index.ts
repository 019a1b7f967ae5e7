/** `http.reverse_proxy.selection_policies.uri_hash`: selects the same upstream for the same URI. */
import { type SelectionPolicy, selectByHash, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { proxiedRequest } from '../../common/proxied-request.ts';

const policy: SelectionPolicy = {
  select: (upstreams, exchange) => selectByHash(upstreams, proxiedRequest(exchange).target),
};

export const uriHashModule = defineModule(selectionPolicies, {
  name: 'uri_hash',
  help: 'Selects an upstream by the path and query of the upstream request. Requests for the same URI go to the same upstream.',
  config: options({}),
  provision: () => policy,
});
