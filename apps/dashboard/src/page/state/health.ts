/** Problems from all views, for the overview and the page icon. */
import { computed, signal } from '@preact/signals';
import { relative } from '../base/format.ts';
import { byHealth, type Health } from '../base/health.ts';
import { unconfirmed } from './history.ts';
import { configurationProblem } from './configuration.ts';
import { events } from './events.ts';
import { failures, lately, samples } from './stats.ts';

/** A problem, with the view that shows its details. */
export interface Trouble {
  readonly health: 'warn' | 'bad';
  readonly text: string;
  readonly view: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface Upstream {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
  readonly draining: boolean;
  /** Number of requests that are queued for the upstream. */
  readonly queued: number;
  readonly latency_ms: number;
  /** Worst health state that any proxy reports for the upstream, with reason and start time. */
  readonly state: 'healthy' | 'unhealthy' | 'degraded' | 'unknown';
  readonly reason: string;
  readonly since: string;
  /**
   * Number of proxies that use the upstream. The next properties count the proxies that consider it unhealthy, and the proxies with active
   * health checks.
   */
  readonly used_by: number;
  readonly unhealthy: number;
  readonly checked: number;
  /** Time at which the upstream's ejection by outlier detection ends. `null` if the upstream is in rotation. */
  readonly ejected_until: string | null;
  /** Last active health check, or `null` before the first check. */
  readonly last_check: { readonly time: string; readonly problem: string | null } | null;
}

export interface Certificate {
  readonly identifier?: string;
  readonly subject?: string;
  readonly names?: readonly string[];
  readonly issuer?: string;
  readonly not_before?: string;
  readonly not_after?: string;
  readonly managed: boolean;
  readonly issuers?: readonly string[];
  readonly last_error?: string | null;
  readonly next_attempt?: string | null;
  readonly source?: string;
  readonly serial_number?: string;
  readonly key_algorithm?: string;
  readonly fingerprint?: string;
  readonly tags?: readonly string[];
}

export const upstreams = signal<readonly Upstream[] | null>(null);

export const certificates = signal<readonly Certificate[] | null>(null);

const week = 7 * 86_400_000;
const recently = 10 * 60_000;

/** All current problems, in order of decreasing severity. */
export const troubles = computed<readonly Trouble[]>(() => {
  const found = [...ofUpstreams(), ...ofCertificates(), ...ofTraffic(), ...ofChanges()];
  return found.sort((a, b) => byHealth(a.health, b.health));
});

/** Most severe state. */
export const worst = computed(() =>
  configurationProblem.value === null ? (troubles.value[0]?.health ?? 'ok') : 'bad',
);

const colors = { healthy: 'ok', degraded: 'warn', unhealthy: 'bad', unknown: 'idle' } as const;

/**
 * Returns the health of an upstream, based on the worst state that any proxy reports. Draining counts as a warning unless the upstream is
 * unhealthy.
 */
export function upstreamHealth({ draining, state }: Upstream): Health {
  const health = colors[state];
  return draining && health !== 'bad' ? 'warn' : health;
}

export function upstreamState(upstream: Upstream): { readonly health: Health; readonly word: string } {
  const { draining, num_requests: inFlight, state } = upstream;
  const word = !draining ? state : inFlight > 0 ? 'draining' : 'drained';
  return { health: upstreamHealth(upstream), word };
}

/** Reports whether an upstream needs attention. An unknown state does not count, for example if no health checks are configured. */
export function isImpaired(upstream: Upstream): boolean {
  const health = upstreamHealth(upstream);
  return health === 'warn' || health === 'bad';
}

/** Returns the health of a certificate. `bad` = it has expired and its renewal failed; `warn` = it expires soon. */
export function certificateHealth(
  { not_before: begin, not_after: end, last_error: error }: Certificate,
  now: number = Date.now(),
): 'ok' | 'warn' | 'bad' {
  const left = end === undefined ? -1 : Date.parse(end) - now;
  if (left <= 0) return error === null || error === undefined ? 'warn' : 'bad';
  return left < leastLeft(begin, end) || (error !== null && error !== undefined) ? 'warn' : 'ok';
}

/**
 * Returns the warning threshold for a certificate's remaining lifetime, in milliseconds. It is a week, or a quarter of the lifetime for
 * short-lived certificates. Renewal should happen earlier.
 */
function leastLeft(begin: string | undefined, end: string | undefined): number {
  return begin === undefined || end === undefined ? week : Math.min(week, (Date.parse(end) - Date.parse(begin)) / 4);
}

function ofUpstreams(): Trouble[] {
  return (upstreams.value ?? []).flatMap((each) => {
    const health = upstreamHealth(each);
    if ((health !== 'warn' && health !== 'bad') || each.draining) return [];
    return [{ health, text: `${each.address} is ${each.state}: ${each.reason}`, view: 'upstreams' }];
  });
}

function ofCertificates(): Trouble[] {
  return (certificates.value ?? []).flatMap((each) => {
    const health = certificateHealth(each);
    if (health === 'ok') return [];
    const name = each.identifier ?? each.names?.[0] ?? each.subject ?? 'Certificate';
    const text =
      each.last_error ?? (each.not_after === undefined ? 'no certificate yet' : `expires ${relative(each.not_after)}`);
    return [{ health, text: `${name}: ${text}`, view: 'certificates' }];
  });
}

function ofTraffic(): Trouble[] {
  const last = samples.value.slice(-15);
  const all = last.reduce((sum, each) => sum + (each.rate ?? 0), 0);
  const failed = last.reduce((sum, each) => sum + (each.errors ?? 0), 0);
  if (lately.value === null || failed < 1 || failed / all < 0.01) return [];
  const host = [...lately.value.hosts].sort((a, b) => failures(b) - failures(a))[0];
  const where =
    host === undefined || failures(host) === 0
      ? ''
      : `, most of them for ${host.host === '' ? 'other hosts' : host.host}`;
  return [
    {
      health: failed / all > 0.1 ? 'bad' : 'warn',
      text: `${Math.round((failed / all) * 100)}% of requests fail${where}`,
      view: 'traffic',
    },
  ];
}

function ofChanges(): Trouble[] {
  const refused = events.value.findLast(
    ({ type, time }) => type === 'config_refused' && Date.now() - Date.parse(time) < recently,
  );
  return [
    ...(unconfirmed.value === null
      ? []
      : [
          {
            health: 'warn' as const,
            text: `Revision ${unconfirmed.value.revision} will be rolled back unless you confirm it`,
            view: 'changes',
          },
        ]),
    ...(refused === undefined
      ? []
      : [
          {
            health: 'warn' as const,
            text: `A change was rejected: ${String(refused.data['error'])}`,
            view: 'logs',
            values: { tab: 'events' },
          },
        ]),
  ];
}
