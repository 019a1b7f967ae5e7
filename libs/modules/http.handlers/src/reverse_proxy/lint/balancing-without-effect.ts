/** Lint check SL061. */
import { isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { dialsOf, proxiesIn, type PlacedProxy } from './proxies.ts';

export const balancingWithoutEffect = defineLint({
  code: 'SL061',
  name: 'balancing-without-effect',
  severity: 'warning',
  summary: 'Outlier detection, slow start or the request queue has no effect.',
  details: `Outlier detection never ejects the only upstream. With N upstreams, no success rate can be more than √(N−1) standard deviations below the mean. Slow start has no effect with the \`first\` and \`cookie\` policies or the hash policies. Requests wait in the queue only if the upstreams have a maximum number of requests.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 {
		outlier_detection {
			max_ejection_percent 100
		}
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		outlier_detection {
			max_ejection_percent 50
		}
	}
}
`),
  check(configuration, report) {
    for (const proxy of proxiesIn(configuration)) {
      const balancing = own(proxy.node, 'load_balancing');
      if (isObject(balancing)) {
        const policy = policyWithoutSlowStart(balancing);
        if (policy !== null)
          report(
            [...proxy.path, 'load_balancing', 'slow_start'],
            `has no effect with the ${policy} policy: use a policy that balances load, such as round_robin, or remove this option`,
          );
        const [option, problem] = queueProblem(proxy, balancing) ?? [];
        if (option !== undefined && problem !== undefined) report([...proxy.path, 'load_balancing', option], problem);
      }
      const checks = own(proxy.node, 'health_checks');
      const outlier = isObject(checks) ? own(checks, 'outlier_detection') : undefined;
      if (!isObject(outlier)) continue;
      const [option, problem] = problemOf(proxy, outlier) ?? [];
      if (problem === undefined) continue;
      const at = [...proxy.path, 'health_checks', 'outlier_detection'];
      report(option === undefined || own(outlier, option) === undefined ? at : [...at, option], problem);
    }
  },
});

/** Load balancing policies that do not support slow start. */
const unbalanced = new Set(['first', 'ip_hash', 'client_ip_hash', 'uri_hash', 'header', 'query', 'cookie']);

function policyWithoutSlowStart(balancing: JsonObject): string | null {
  const slowStart = own(balancing, 'slow_start');
  const selection = own(balancing, 'selection_policy');
  const policy = isObject(selection) ? own(selection, 'policy') : undefined;
  return Boolean(slowStart) && typeof policy === 'string' && unbalanced.has(policy) ? policy : null;
}

/** Returns a problem with the queue, together with the option that causes it. Returns `null` if there is no problem. */
function queueProblem({ node }: PlacedProxy, balancing: JsonObject): readonly [option: string, problem: string] | null {
  if (numberOf(own(balancing, 'queue'), 0) === 0)
    return own(balancing, 'queue_timeout')
      ? [
          'queue_timeout',
          'has no effect without queue: set the maximum number of queued requests in queue, or remove this option',
        ]
      : null;
  if (numberOf(own(balancing, 'max_requests'), 0) > 0) return null;
  const checks = own(node, 'health_checks');
  const passive = isObject(checks) ? own(checks, 'passive') : undefined;
  if (isObject(passive) && numberOf(own(passive, 'unhealthy_request_count'), 0) > 0) return null;
  const upstreams = own(node, 'upstreams');
  const isUnlimited = (upstream: Json): boolean =>
    isObject(upstream) && numberOf(own(upstream, 'max_requests'), 0) === 0;
  if (!own(node, 'dynamic_upstreams') && !(isArray(upstreams) && upstreams.some(isUnlimited))) return null;
  return ['queue', 'has no effect, because an upstream without a limit is never full: set load_balancing.max_requests'];
}

/** Returns a problem, together with the option that causes it. Returns `null` if there is no problem. */
function problemOf(proxy: PlacedProxy, outlier: JsonObject): readonly [option: string, problem: string] | null {
  // The number of dynamic upstreams is not known in advance.
  if (own(proxy.node, 'dynamic_upstreams')) return null;
  const upstreams = own(proxy.node, 'upstreams');
  // A different check reports proxies without upstreams.
  if (!isArray(upstreams) || upstreams.length === 0) return null;
  const count = new Set(dialsOf(proxy).map(({ dial }) => dial)).size;
  if (count < 2)
    return [
      'max_ejection_percent',
      'has no effect, because the only upstream is never ejected: add another upstream, or remove this option',
    ];
  if (numberOf(own(outlier, 'max_ejection_percent'), 10) === 0)
    return ['max_ejection_percent', 'is 0, so no upstream is ever ejected: raise it, or remove outlier_detection'];
  const factor = numberOf(own(outlier, 'stdev_factor'), 1.9);
  const comparesRates =
    factor > 0 && count >= numberOf(own(outlier, 'min_upstreams'), 5) && factor < Math.sqrt(count - 1);
  if (!comparesRates && numberOf(own(outlier, 'consecutive_errors'), 5) === 0)
    return [
      'consecutive_errors',
      `is 0, and success rates never cause an ejection with ${count} upstreams: set consecutive_errors, or change min_upstreams or stdev_factor`,
    ];
  if (comparesRates) return null;
  for (const option of ['min_upstreams', 'stdev_factor', 'min_requests'])
    if (numberOf(own(outlier, option), 0) > 0)
      return [
        option,
        `has no effect: comparing the success rates of ${count} upstreams requires min_upstreams of at most ${count} and stdev_factor below ${Math.sqrt(count - 1).toFixed(2)}`,
      ];
  return null;
}

function numberOf(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
