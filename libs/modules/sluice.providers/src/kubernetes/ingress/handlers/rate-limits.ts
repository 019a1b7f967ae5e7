/** The annotations `limit-rps`, `limit-rpm` and `limit-connections`. */
import type { JsonObject } from '@sluice/base';
import { keyOf } from '../../objects.ts';
import type { IngressScope } from '../scope.ts';
import { rangesOf } from './access.ts';

/** Maximum burst multiplier, because windows of `rate_limit` are at most 24 days long. */
const maxMultiplier = 1000;

/** Converts the rate limits. A limit's window is the duration of a burst at the permitted rate. Burst and average then match those of nginx. */
export function rateLimits(scope: IngressScope): readonly JsonObject[] {
  const { annotations } = scope;
  const multiplier = Math.min(maxMultiplier, Math.max(1, annotations.integer('limit-burst-multiplier') ?? 5));
  const excluded = rangesOf('limit-whitelist', scope);
  const zones: Record<string, JsonObject> = {};
  for (const [name, unit] of [
    ['limit-rpm', 'm'],
    ['limit-rps', 's'],
  ] as const) {
    const limit = annotations.integer(name) ?? 0;
    if (limit === 0) continue;
    zones[`ingress ${keyOf(scope.ingress)} ${name}`] = {
      ...(excluded.length === 0 ? {} : { match: [{ not: [{ client_ip: { ranges: excluded } }] }] }),
      key: '{http.vars.client_ip}',
      window: `${multiplier}${unit}`,
      max_events: limit * multiplier,
    };
  }
  const concurrent = annotations.integer('limit-connections') ?? 0;
  return [
    ...(Object.keys(zones).length === 0 ? [] : [{ handler: 'rate_limit', rate_limits: zones }]),
    ...(concurrent <= 0 ? [] : [concurrencyLimit(scope, concurrent)]),
  ];
}

function concurrencyLimit({ ingress }: IngressScope, max: number): JsonObject {
  const name = `ingress ${keyOf(ingress)} limit-connections`;
  return { handler: 'concurrency_limit', name, key: '{http.vars.client_ip}', max };
}
