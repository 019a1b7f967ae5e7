/** `http.reverse_proxy.selection_policies.least_conn`: the least busy one. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { leastRequests } from '../../common/least-requests.ts';

const policy: SelectionPolicy = { select: (upstreams) => leastRequests(upstreams) };

/** The module. */
export const leastConnModule = defineModule(selectionPolicies, {
  name: 'least_conn',
  help: 'Chooses the upstream with the fewest requests in flight, at random among equals.',
  config: options({}),
  provision: () => policy,
});
