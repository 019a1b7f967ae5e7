/** Lint check SL044. */
import { formatDuration, isArray, isObject, parseDuration, type ConfigPath, type Json } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration, type Report } from '@sluice/registry';
import { getAt } from '@sluice/reconciler';
import { bounds, type Bound } from '../bounds.ts';

export const swappedBounds = defineLint({
  code: 'SL044',
  name: 'swapped-bounds',
  severity: 'warning',
  summary: 'A duration, count or version exceeds its upper bound.',
  details: `The values of some options must be lower than those of others. A health check has to finish before the next one starts. A retry interval has to fit into the retry time, and the request header timeout into the request timeout. If the values are in the wrong order, the larger value never takes effect. Often, the two values were swapped. The check compares only explicitly set values, not defaults.`,
  bad: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9000 {
		health_uri /health
		health_interval 5s
		health_timeout 10s
	}
}
`),
  good: caddyfile(`:8080 {
	reverse_proxy 127.0.0.1:9000 {
		health_uri /health
		health_interval 10s
		health_timeout 5s
	}
}
`),
  check(configuration, report) {
    for (const bound of bounds)
      for (const placed of nodesOf(configuration, bound.of)) checkBound(placed, bound, report);
  },
});

/** Returns the modules with an ID, or the values at a path. A star in the path matches any key. */
function nodesOf(
  configuration: LintedConfiguration,
  of: Bound['of'],
): readonly { readonly node: Json; readonly path: ConfigPath }[] {
  if (typeof of === 'string') return configuration.modulesOf(of);
  let found: { readonly node: Json; readonly path: ConfigPath }[] = [{ node: configuration.document, path: [] }];
  for (const key of of) {
    found = found.flatMap(({ node, path }) =>
      childrenOf(node)
        .filter(([name]) => key === '*' || name === key)
        .map(([name, child]) => ({ node: child, path: [...path, name] })),
    );
  }
  return found;
}

function childrenOf(node: Json): readonly (readonly [string, Json])[] {
  return isObject(node) || isArray(node) ? Object.entries(node) : [];
}

function checkBound(
  placed: { readonly node: Json; readonly path: ConfigPath },
  { inner, outer, kind, strict, problem, advice }: Bound,
  report: Report,
): void {
  const small = valueOf(placed.node, inner, kind);
  const large = small === null ? null : valueOf(placed.node, outer, kind);
  if (small === null || large === null || (strict === true ? small < large : small <= large)) return;
  const names = { inner: inner.at(-1) ?? '', outer: outer.at(-1) ?? '' };
  const shown = `${names.inner} (${textOf(small, kind)})`;
  const comparison = small === large ? 'must be lower than' : 'exceeds';
  report(
    [...placed.path, ...inner],
    `${shown} ${comparison} ${names.outer} (${textOf(large, kind)}): ${problem}; ${advice}`,
    {
      related: [{ path: [...placed.path, ...outer], message: `${names.outer} is set here` }],
    },
  );
}

/** Returns a value as a number. Returns `null` if the value is missing, contains a placeholder, or disables a feature. */
function valueOf(node: Json, at: ConfigPath, kind: Bound['kind']): number | null {
  const value = getAt(node, at);
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (kind === 'version') return typeof value === 'string' && /^tls1\.\d$/.test(value) ? Number(value.slice(3)) : null;
  if (kind === 'count') return typeof value === 'number' && value > 0 ? value : null;
  try {
    const duration = parseDuration(value);
    return duration > 0 ? duration : null;
  } catch {
    return null;
  }
}

function textOf(value: number, kind: Bound['kind']): string {
  if (kind === 'version') return `tls${value}`;
  return kind === 'count' ? String(value) : formatDuration(value);
}
