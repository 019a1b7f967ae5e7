/** `http.reverse_proxy.selection_policies.header`: selects the same upstream for the same header field value. */
import { selectionPolicies, type SelectionPolicy } from '@sluice/http-app';
import { defineModule, options, string } from '@sluice/registry';
import { fallbackOption, loadFallback } from '../../common/fallback.ts';
import { hashPolicy } from '../../common/hash-policy.ts';
import { proxiedRequest } from '../../common/proxied-request.ts';

export const headerModule = defineModule(selectionPolicies, {
  name: 'header',
  help: 'Selects an upstream by the value of a request header field. Requests with the same value go to the same upstream.',
  config: options({ field: string('Name of the request header field.'), fallback: fallbackOption }),
  async provision(config, context): Promise<SelectionPolicy> {
    if (!config.field) throw context.error('is missing: set the name of the header field', 'field');
    const field = config.field.toLowerCase();
    const fallback = await loadFallback(config.fallback, context);
    const isForwarded = field.startsWith('x-forwarded-');
    return hashPolicy(
      fallback,
      (exchange) => (field === 'host' ? exchange.host : (proxiedRequest(exchange).headers.get(field) ?? '')),
      // Record the peer address for these fields, because the proxy derives their values from it.
      (exchange) => void (isForwarded ? exchange.connection.remoteAddress : exchange.headers.get(field)),
    );
  },
});
