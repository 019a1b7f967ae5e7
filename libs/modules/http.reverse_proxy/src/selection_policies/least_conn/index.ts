/** `http.reverse_proxy.selection_policies.least_conn`: selects the upstream with the fewest requests in flight. */
import { leastRequests, randomPolicy, requestsInFlight, selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

// An upstream with few requests in flight is selected almost every time it is considered.
const policy = randomPolicy(leastRequests, requestsInFlight, (share, upstreams) => share / upstreams);

export const leastConnModule = defineModule(selectionPolicies, {
  name: 'least_conn',
  help: 'Selects the upstream with the fewest in-flight requests. Ties are broken at random.',
  config: options({}),
  provision: () => policy,
});
