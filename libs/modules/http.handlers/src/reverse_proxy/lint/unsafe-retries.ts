/** Lint check SL031. */
import { isArray, isObject, own, parseDuration, type Json } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { proxiesIn } from './proxies.ts';

const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
const maxDuration = 10 * 60_000;

export const unsafeRetries = defineLint({
  code: 'SL031',
  name: 'unsafe-retries',
  severity: 'warning',
  summary: 'Retries can repeat requests that are not idempotent, or continue for too long.',
  details: `A request that failed after it was sent may have succeeded on the upstream. If it is retried, an order might be placed twice. In \`lb_retry_match\`, list idempotent methods (RFC 9110 §9.2.2), or paths that are safe to retry. Limit the number of retries, because each retry adds load to upstreams that are already slow.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		lb_try_duration 5s
		lb_retry_match {
			method POST
		}
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9001 127.0.0.1:9002 {
		lb_try_duration 5s
		lb_retry_match {
			method PUT
		}
	}
}
`),
  check(configuration, report) {
    for (const proxy of proxiesIn(configuration)) {
      const { node } = proxy;
      const balancing = own(node, 'load_balancing');
      if (!isObject(balancing)) continue;
      const at = [...proxy.path, 'load_balancing'];
      const sets = own(balancing, 'retry_match');
      for (const [index, set] of (isArray(sets) ? sets : []).entries())
        if (repeatsChanges(set))
          report(
            [...at, 'retry_match', String(index)],
            'retries requests that are not idempotent: list idempotent methods, or paths that are safe to retry',
          );
      if (Number(own(balancing, 'retries') ?? 0) > 100)
        report(
          [...at, 'retries'],
          'allows too many retries: reduce the number, so that retries finish before clients time out',
        );
      const time = milliseconds(own(balancing, 'try_duration'));
      if (time < 0 || time > maxDuration)
        report([...at, 'try_duration'], 'retries for longer than clients typically wait: set a shorter duration');
    }
  },
});

/** Reports whether a matcher set matches non-idempotent methods on any path. Retrying such requests may repeat changes. */
function repeatsChanges(set: Json): boolean {
  if (!isObject(set)) return true;
  const methods = own(set, 'method');
  const others = Object.keys(set).filter((name) => name !== 'method');
  if (isArray(methods))
    return others.length === 0 && methods.some((each) => !idempotent.has(String(each).toUpperCase()));
  return others.length === 0;
}

function milliseconds(value: Json | undefined): number {
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  try {
    return parseDuration(value);
  } catch {
    return 0;
  }
}
