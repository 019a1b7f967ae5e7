/** `http.reverse_proxy.selection_policies.query`: selects the same upstream for the same query parameter value. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options, string } from '@sluice/registry';
import { parseQuery } from '@sluice/base';
import { fallbackOption, loadFallback } from '../../common/fallback.ts';
import { hashPolicy } from '../../common/hash-policy.ts';
import { proxiedRequest } from '../../common/proxied-request.ts';

export const queryModule = defineModule(selectionPolicies, {
  name: 'query',
  help: 'Selects an upstream by the value of a query parameter. Requests with the same value go to the same upstream.',
  config: options({ key: string('Name of the query parameter.'), fallback: fallbackOption }),
  async provision(config, context): Promise<SelectionPolicy> {
    const { key } = config;
    if (!key) throw context.error('is missing: set the name of the query parameter', 'key');
    const fallback = await loadFallback(config.fallback, context);
    return hashPolicy(
      fallback,
      (exchange) => {
        const { query } = proxiedRequest(exchange);
        return query === null ? '' : (parseQuery(query).get(key)?.join(',') ?? '');
      },
      (exchange) => void exchange.query,
    );
  },
});
