/** Lint check SL036. */
import { isArray, isObject, own } from '@sluice/base';
import { defineLint, nativeJson } from '@sluice/registry';

const example = (onDemand: object): object => ({
  apps: { tls: { automation: { policies: [{ on_demand: true, issuers: [{ module: 'internal' }] }], ...onDemand } } },
});

export const unrestrictedOnDemand = defineLint({
  code: 'SL036',
  name: 'unrestricted-on-demand',
  severity: 'error',
  summary: 'On-demand TLS obtains certificates for any name.',
  details: `Anyone who points DNS names at this server can exhaust the rate limits of your CA, including the limits for your own names. Set a permission that decides which names are allowed (\`on_demand.permission\`, or \`ask\`).`,
  bad: nativeJson(example({})),
  good: nativeJson(
    example({ on_demand: { permission: { module: 'http', endpoint: 'http://127.0.0.1:9000/may-have-one' } } }),
  ),
  check(configuration, report) {
    const path = ['apps', 'tls', 'automation'];
    const automation = configuration.valueAt(path);
    if (!isObject(automation)) return;
    const bounds = own(automation, 'on_demand');
    if (isObject(bounds) && (own(bounds, 'permission') || own(bounds, 'ask'))) return;
    const policies = own(automation, 'policies');
    for (const [index, policy] of (isArray(policies) ? policies : []).entries())
      if (isObject(policy) && own(policy, 'on_demand') === true)
        report(
          [...path, 'policies', String(index), 'on_demand'],
          'obtains certificates for any name that a client sends: set on_demand.permission',
        );
  },
});
