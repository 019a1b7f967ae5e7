/** What is wrong, over all views: for the overview and the icon of the page. */
import { computed, signal } from '@preact/signals';
import { relative } from '../base/format.ts';
import { byHealth, type Health } from '../base/health.ts';
import { unconfirmed } from './history.ts';
import { inForce } from './configuration.ts';
import { events } from './events.ts';
import { failures, lately, seconds } from './stats.ts';

/** Something that is wrong, and the view that shows it. */
export interface Trouble {
  readonly health: 'warn' | 'bad';
  readonly text: string;
  readonly view: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** State of an upstream, its reason, and its start. */
interface UpstreamState {
  readonly state?: 'healthy' | 'unhealthy' | 'degraded' | 'unknown';
  readonly reason?: string;
  readonly since?: string;
}

/** State of an upstream in one proxy. */
export interface UpstreamUse extends UpstreamState {
  /** Path of the proxy in the configuration. */
  readonly where: string;
  /** The last active check; `null` where none was made. */
  readonly last_check?: { readonly time: string; readonly problem: string | null } | null;
}

/** An upstream as `GET /reverse_proxy/upstreams?detail` has it. */
export interface Upstream extends UpstreamState {
  readonly address: string;
  readonly num_requests: number;
  readonly fails: number;
  readonly draining?: boolean;
  readonly latency_ms?: number;
  readonly proxies?: readonly UpstreamUse[];
}

/** A certificate as `GET /certificates` has it. */
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

/** As they were last read. */
export const upstreams = signal<readonly Upstream[] | null>(null);

/** As they were last read. */
export const certificates = signal<readonly Certificate[] | null>(null);

const week = 7 * 86_400_000;
const recently = 10 * 60_000;

/** The worst first. */
export const troubles = computed<readonly Trouble[]>(() => {
  const found = [...ofUpstreams(), ...ofCertificates(), ...ofTraffic(), ...ofChanges()];
  return found.sort((a, b) => byHealth(a.health, b.health));
});

/** The worst state of all. */
export const worst = computed(() => (inForce.value.problem === null ? (troubles.value[0]?.health ?? 'ok') : 'bad'));

const colors = { healthy: 'ok', degraded: 'warn', unhealthy: 'bad', unknown: 'idle' } as const;

/** Color of an upstream, by the worst state that a proxy reports. Draining is a warning, except for unhealthy upstreams. */
export function upstreamHealth({ draining, state = 'unknown' }: Upstream): Health {
  const color = colors[state];
  return draining === true && color !== 'bad' ? 'warn' : color;
}

/** Whether a certificate serves, and for how long. */
export function certificateHealth(
  { not_before: begin, not_after: end, last_error: error }: Certificate,
  now: number = Date.now(),
): 'ok' | 'warn' | 'bad' {
  const left = end === undefined ? -1 : Date.parse(end) - now;
  if (left <= 0) return error === null || error === undefined ? 'warn' : 'bad';
  return left < leastLeft(begin, end) || (error !== null && error !== undefined) ? 'warn' : 'ok';
}

/** A week; of short certificates the last quarter of their time, by when they should have been renewed. In milliseconds. */
function leastLeft(begin: string | undefined, end: string | undefined): number {
  return begin === undefined || end === undefined ? week : Math.min(week, (Date.parse(end) - Date.parse(begin)) / 4);
}

function ofUpstreams(): Trouble[] {
  return (upstreams.value ?? []).flatMap((each) => {
    const health = upstreamHealth(each);
    if ((health !== 'warn' && health !== 'bad') || each.draining === true) return [];
    return [{ health, text: `${each.address} is ${each.state}: ${each.reason}`, view: 'upstreams' }];
  });
}

function ofCertificates(): Trouble[] {
  return (certificates.value ?? []).flatMap((each) => {
    const health = certificateHealth(each);
    if (health === 'ok') return [];
    const name = each.identifier ?? each.names?.[0] ?? each.subject ?? 'a certificate';
    const text =
      each.last_error ??
      (each.not_after === undefined ? 'has no certificate yet' : `expires ${relative(each.not_after)}`);
    return [{ health, text: `${name}: ${text}`, view: 'certificates' }];
  });
}

function ofTraffic(): Trouble[] {
  const last = seconds.value.slice(-30);
  const all = last.reduce((sum, { rate }) => sum + rate, 0);
  const failed = last.reduce((sum, { errors }) => sum + errors, 0);
  if (lately.value === null || failed < 1 || failed / all < 0.01) return [];
  const host = [...lately.value.hosts].sort((a, b) => failures(b) - failures(a))[0];
  const where =
    host === undefined || failures(host) === 0 ? '' : `, most at ${host.host === '' ? 'other hosts' : host.host}`;
  return [
    {
      health: failed / all > 0.1 ? 'bad' : 'warn',
      text: `${Math.round((failed / all) * 100)} % of requests fail${where}`,
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
            text: `Revision ${unconfirmed.value.revision} waits to be confirmed`,
            view: 'changes',
          },
        ]),
    ...(refused === undefined
      ? []
      : [{ health: 'warn' as const, text: `A change was refused: ${String(refused.data['error'])}`, view: 'logs' }]),
  ];
}
