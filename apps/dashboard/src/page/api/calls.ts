/**
 * All admin API calls of the dashboard. Each call has the path template from `GET /openapi.json`. A test verifies this, so views can use
 * only documented routes.
 */
import type { Json, Path } from '../base/json.ts';
import { addressOf, encoded } from '../base/paths.ts';

/** Query, header fields and body of an admin API call. */
export interface Sent {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json | object;
  /** Body that is sent verbatim. */
  readonly text?: string;
}

export interface Call extends Sent {
  readonly method: string;
  /** Actual path of the request, such as `/config/apps/http`. */
  readonly path: string;
  /** Path template in the API documentation, such as `/config/{path}`. */
  readonly template: string;
}

/** Values for the placeholders of a path template. In a configuration path, slashes are preserved. */
type Values = Readonly<Record<string, string | number | Path>>;

export interface Route {
  (values?: Values, sent?: Sent): Call;
  readonly method: string;
  readonly template: string;
}

function route(method: string, template: string): Route {
  const make = (values: Values = {}, sent: Sent = {}): Call => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'object' ? addressOf(value) : encoded(value);
    });
    return { method, template, path, ...sent };
  };
  return Object.assign(make, { method, template });
}

/** Admin API calls, grouped by purpose. */
export const calls = {
  who: route('GET', '/session'),
  openSession: route('POST', '/session'),
  endSession: route('DELETE', '/session'),
  describe: route('GET', '/openapi.json'),
  schema: route('GET', '/schema'),
  readConfig: route('GET', '/config/{path}'),
  readAll: route('GET', '/config/'),
  patch: route('PATCH', '/config/{path}'),
  patchAll: route('PATCH', '/config/'),
  adapt: route('POST', '/adapt'),
  history: route('GET', '/history'),
  revision: route('GET', '/history/{revision}'),
  goBack: route('POST', '/history/{revision}/apply'),
  confirm: route('POST', '/history/{revision}/confirm'),
  propose: route('POST', '/proposals'),
  proposals: route('GET', '/proposals'),
  proposal: route('GET', '/proposals/{id}'),
  report: route('GET', '/proposals/{id}/report'),
  withdraw: route('DELETE', '/proposals/{id}'),
  approve: route('POST', '/approvals/{id}'),
  upstreams: route('GET', '/reverse_proxy/upstreams'),
  upstreamSummary: route('GET', '/reverse_proxy/upstreams/summary'),
  drain: route('POST', '/reverse_proxy/upstreams/{address}/drain'),
  undrain: route('DELETE', '/reverse_proxy/upstreams/{address}/drain'),
  rateLimits: route('GET', '/rate_limits'),
  rateLimitKeys: route('GET', '/rate_limits/{zone}'),
  resetRateLimit: route('DELETE', '/rate_limits/{zone}/keys/{key}'),
  waf: route('GET', '/waf'),
  certificates: route('GET', '/certificates'),
  renew: route('POST', '/certificates/{name}/renew'),
  authority: route('GET', '/pki/ca/{id}'),
  events: route('GET', '/events'),
  logs: route('GET', '/logs/stream'),
  vars: route('GET', '/debug/vars'),
  profile: route('GET', '/debug/pprof/profile'),
  stats: route('GET', '/stats'),
  statsStream: route('GET', '/stats/stream'),
  statsHistory: route('GET', '/stats/history'),
  listeners: route('GET', '/stats/listeners'),
  explain: route('POST', '/explain'),
  makeTest: route('POST', '/explain/test'),
  record: route('POST', '/traces'),
  traces: route('GET', '/traces'),
  endTraces: route('DELETE', '/traces'),
  samples: route('GET', '/samples'),
  heap: route('GET', '/debug/pprof/heap'),
  fleet: route('GET', '/fleet'),
  drainMember: route('POST', '/fleet/members/{name}/drain'),
  undrainMember: route('DELETE', '/fleet/members/{name}/drain'),
  pauseRollout: route('POST', '/fleet/rollout/pause'),
  resumeRollout: route('POST', '/fleet/rollout/resume'),
  abortRollout: route('POST', '/fleet/rollout/abort'),
  rollout: route('GET', '/rollout'),
  pauseSteps: route('POST', '/rollout/pause'),
  resumeSteps: route('POST', '/rollout/resume'),
  abortSteps: route('POST', '/rollout/abort'),
  promoteSteps: route('POST', '/rollout/promote'),
  retryMember: route('POST', '/fleet/retry'),
  upgrade: route('POST', '/upgrade'),
  stop: route('POST', '/stop'),
} as const;

/** Routes that optional packages provide. If a route is missing, the corresponding view displays a message. */
export const optional: ReadonlySet<string> = new Set([
  '/reverse_proxy/upstreams',
  '/reverse_proxy/upstreams/summary',
  '/reverse_proxy/upstreams/{address}/drain',
  '/rate_limits',
  '/rate_limits/{zone}',
  '/rate_limits/{zone}/keys/{key}',
  '/waf',
  '/certificates',
  '/certificates/{name}/renew',
  '/pki/ca/{id}',
  '/logs/stream',
  '/stats',
  '/stats/stream',
  '/stats/history',
  '/stats/listeners',
  '/explain',
  '/explain/test',
  '/traces',
  '/samples',
  '/fleet',
  '/fleet/members/{name}/drain',
  '/fleet/rollout/pause',
  '/fleet/rollout/resume',
  '/fleet/rollout/abort',
  '/fleet/retry',
  '/rollout',
  '/rollout/pause',
  '/rollout/resume',
  '/rollout/abort',
  '/rollout/promote',
  '/upgrade',
]);

/** Returns a call that reads or patches the configuration or a part of it. */
export function configCall(kind: 'read' | 'patch', path: Path, sent: Sent = {}): Call {
  if (path.length === 0) return (kind === 'read' ? calls.readAll : calls.patchAll)({}, sent);
  return (kind === 'read' ? calls.readConfig : calls.patch)({ path }, sent);
}

export function targetOf({ path, query = {} }: Call): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
