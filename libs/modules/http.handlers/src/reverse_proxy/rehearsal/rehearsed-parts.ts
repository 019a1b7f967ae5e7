/** The parts of a proxy for rehearsals: upstreams are chosen, and what would be sent is told to the rehearsal. */
import type { Exchange, Rehearsal, Watch } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import type { ProxyParts } from '../proxy-parts.ts';
import type { RetryRules } from '../retry.ts';
import { RoundtripLog } from '../roundtrip-log.ts';
import { RehearsedPolicy } from './rehearsed-policy.ts';
import { RehearsedTransport } from './rehearsed-transport.ts';
import { RehearsedUpstreams } from './rehearsed-upstreams.ts';

/** Makes them. Nothing of these counts, connects or logs. */
export function rehearsedParts(parts: ProxyParts, watch: Watch, rehearsal: Rehearsal): ProxyParts {
  return {
    ...parts,
    roundtrips: new RoundtripLog(silentLogger, false),
    transport: new RehearsedTransport(parts.transport, rehearsal),
    isTrusted: (exchange) => isTrusted(parts, exchange, rehearsal),
    upstreams: new RehearsedUpstreams(parts.upstreams, rehearsal),
    policy: new RehearsedPolicy(parts.policy.watched?.(watch) ?? parts.policy, rehearsal),
    // A rehearsal has no client who could go away.
    watch: { add: () => {}, delete: () => {} },
    retry: withoutWaiting(parts.retry),
  };
}

const forwardedFields = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** Trust in the peer only matters for requests with forwarding fields. */
function isTrusted(parts: ProxyParts, exchange: Exchange, rehearsal: Rehearsal): boolean {
  const decides = (): boolean => parts.isTrusted(exchange);
  return forwardedFields.some((name) => exchange.headers.has(name))
    ? rehearsal.decides(exchange, 'trusted_proxies', decides)
    : decides();
}

/** How often a request is tried at most where the time for tries is bounded, and not their number. */
const mostTries = 10;

/** Rehearsals do not wait: nothing changes until the next try. */
function withoutWaiting(rules: RetryRules): RetryRules {
  const retries = rules.duration > 0 && rules.retries === 0 ? mostTries : rules.retries;
  return { ...rules, retries, duration: 0, interval: 0 };
}
