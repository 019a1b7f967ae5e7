/** `http.reverse_proxy.selection_policies.least_conn`: the least busy one. */
import { selectionPolicies } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { randomPolicy } from '../../common/chance.ts';
import { leastRequests } from '../../common/least-requests.ts';

const policy = randomPolicy(leastRequests);

/** The module. */
export const leastConnModule = defineModule(selectionPolicies, {
  name: 'least_conn',
  help: 'Chooses the upstream with the fewest requests in flight, at random among equals.',
  config: options({}),
  provision: () => policy,
});
