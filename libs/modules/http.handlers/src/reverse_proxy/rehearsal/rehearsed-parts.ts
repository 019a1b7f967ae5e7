/** Parts of a reverse proxy for dry runs. Upstreams are selected, but requests are reported instead of sent. */
import type { Exchange, Rehearsal, Watch } from '@sluice/http-app';
import { silentLogger } from '@sluice/base';
import type { ProxyParts } from '../proxy-parts.ts';
import type { RetryRules } from '../retry.ts';
import { RoundtripLog } from '../roundtrip-log.ts';
import { RehearsedPolicy } from './rehearsed-policy.ts';
import { RehearsedTransport } from './rehearsed-transport.ts';
import { RehearsedUpstreams } from './rehearsed-upstreams.ts';

/** Creates proxy parts that do not count requests, connect to upstreams, or write logs. */
export function rehearsedParts(parts: ProxyParts, watch: Watch, rehearsal: Rehearsal): ProxyParts {
  return {
    ...parts,
    roundtrips: new RoundtripLog(silentLogger, false),
    transport: new RehearsedTransport(parts.transport, rehearsal),
    isTrusted: (exchange) => isTrusted(parts, exchange, rehearsal),
    upstreams: new RehearsedUpstreams(parts.upstreams, rehearsal),
    policy: new RehearsedPolicy(parts.policy.watched?.(watch) ?? parts.policy, rehearsal, parts.queue !== null),
    queue: null,
    sseKeepalive: null,
    // A dry run has no client that could disconnect.
    watch: { add: () => {}, delete: () => {} },
    retry: withoutWaiting(parts.retry),
  };
}

const forwardedFields = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** Reports whether the peer is trusted. This only matters for requests with forwarding headers. */
function isTrusted(parts: ProxyParts, exchange: Exchange, rehearsal: Rehearsal): boolean {
  const decides = (): boolean => parts.isTrusted(exchange);
  return forwardedFields.some((name) => exchange.headers.has(name))
    ? rehearsal.decides(exchange, 'trusted_proxies', decides)
    : decides();
}

/** Maximum number of attempts in a dry run if the configuration limits only their total time. */
const maxTries = 10;

/** Returns the rules without delays, because nothing changes between simulated attempts. */
function withoutWaiting(rules: RetryRules): RetryRules {
  const retries = rules.duration > 0 && rules.retries === 0 ? maxTries : rules.retries;
  return { ...rules, retries, duration: 0, interval: 0 };
}
