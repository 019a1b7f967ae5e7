/** User actions of the dashboard. Each action makes one API call and requires permission only for that call. */
import type { calls, Sent } from '../../src/page/api/calls.ts';
import type { Path } from '../../src/page/base/json.ts';

export interface PageAction {
  readonly view: string;
  readonly action: string;
  readonly call: keyof typeof calls;
  readonly values?: Readonly<Record<string, string | number | Path>>;
  readonly sent?: Sent;
  /** Expected status if the token has the permission, on a server outside a fleet and without rate limits. Default: 200. */
  readonly status?: number;
  /** API call that must succeed before the action. */
  readonly first?: Pick<PageAction, 'call' | 'values' | 'sent'>;
  /** Additional API call that the token must be allowed to make. */
  readonly also?: keyof typeof calls;
}

const json = (text: string): Sent => ({ headers: { 'Content-Type': 'application/json' }, text });
const value: Path = ['apps', 'http', 'servers', 'demo', 'routes', 0, 'handle', 0, 'body'];
const upstream = { address: '127.0.0.1:9' };
const member = { name: 'web-1' };
const patch: Sent = {
  headers: { 'Content-Type': 'application/json-patch+json' },
  text: JSON.stringify([{ op: 'test', path: '/apps/http/servers/demo/routes/0/@id', value: 'hello' }]),
};
const proposed: Sent = {
  json: { title: 'a proposal', patch: [{ op: 'add', path: '/apps/http/servers/demo/idle_timeout', value: '1m' }] },
};
const proposing = { call: 'propose', sent: proposed } as const;

/** All actions, in the order of the dashboard views. */
export const actions: readonly PageAction[] = [
  { view: 'All', action: 'Read your session', call: 'who' },
  { view: 'All', action: 'Read the API description', call: 'describe' },
  { view: 'All', action: 'Read the whole configuration', call: 'readAll' },
  { view: 'All', action: 'Read a part of the configuration', call: 'readConfig', values: { path: ['apps', 'http'] } },
  { view: 'All', action: 'Read the configuration schema', call: 'schema' },
  { view: 'All', action: 'Validate or apply changes to the whole configuration', call: 'patchAll', sent: patch },
  {
    view: 'All',
    action: 'Validate or apply changes to a part',
    call: 'patch',
    values: { path: value },
    sent: json('"hello again"'),
  },
  {
    view: 'All',
    action: 'Propose a draft, or validate it as a proposal',
    call: 'propose',
    sent: proposed,
    status: 201,
    also: 'readAll',
  },
  {
    view: 'All',
    action: 'Confirm a change with auto-rollback',
    call: 'confirm',
    values: { revision: 3 },
    first: {
      call: 'patch',
      values: { path: value },
      sent: { ...json('"once more"'), query: { confirm_within: '60s' } },
    },
  },
  { view: 'Overview, Traffic', action: 'Read traffic statistics', call: 'stats' },
  { view: 'Overview, Traffic', action: 'Stream traffic statistics', call: 'statsStream' },
  { view: 'Overview, Statistics', action: 'Read statistics over time', call: 'statsHistory' },
  { view: 'Statistics', action: 'Read listeners and their limits', call: 'listeners' },
  {
    view: 'Sites, Configuration',
    action: 'Adapt a Caddyfile',
    call: 'adapt',
    sent: { headers: { 'Content-Type': 'text/caddyfile' }, text: ':8080\nrespond "hello"\n' },
  },
  {
    view: 'Traffic',
    action: 'Explain a request',
    call: 'explain',
    sent: { json: { url: 'http://shop.example.com/', server: 'demo' } },
  },
  {
    view: 'Traffic',
    action: 'Create a test from a request',
    call: 'makeTest',
    sent: { json: { url: 'http://old.example.com/', server: 'demo' } },
  },
  { view: 'Traffic', action: 'Record traces', call: 'record', sent: { json: { count: 1, seconds: 1 } } },
  { view: 'Traffic', action: 'Read traces', call: 'traces', sent: { query: { follow: 'false' } } },
  { view: 'Traffic', action: 'Stop recording and clear traces', call: 'endTraces' },
  { view: 'Traffic', action: 'Read the sample of recorded requests', call: 'samples' },
  { view: 'Traffic', action: 'Read rate limits', call: 'rateLimits' },
  {
    view: 'Traffic',
    action: 'Read the keys of a rate limit',
    call: 'rateLimitKeys',
    values: { zone: 'per_client' },
    status: 404,
  },
  {
    view: 'Traffic',
    action: 'Reset a key of a rate limit',
    call: 'resetRateLimit',
    values: { zone: 'per_client', key: '192.0.2.7' },
    status: 404,
  },
  { view: 'Traffic', action: 'Read web application firewalls', call: 'waf' },
  { view: 'Upstreams', action: 'Read upstreams', call: 'upstreamSummary' },
  { view: 'Upstreams', action: 'Read the proxies that use an upstream', call: 'upstreams' },
  { view: 'Upstreams', action: 'Drain an upstream', call: 'drain', values: upstream },
  { view: 'Upstreams', action: 'Undrain an upstream', call: 'undrain', values: upstream },
  { view: 'Certificates', action: 'Read certificates', call: 'certificates' },
  {
    view: 'Certificates',
    action: 'Renew a certificate',
    call: 'renew',
    values: { name: 'managed.example.com' },
  },
  { view: 'Certificates', action: 'Read a certificate authority', call: 'authority', values: { id: 'local' } },
  { view: 'Proposals', action: 'Read the proposals', call: 'proposals' },
  {
    view: 'Proposals',
    action: 'Read a proposal',
    call: 'proposal',
    also: 'readAll',
    values: { id: 1 },
    first: proposing,
  },
  {
    view: 'Proposals',
    action: 'Download the signed report',
    call: 'report',
    also: 'readAll',
    values: { id: 1 },
    first: proposing,
  },
  { view: 'Proposals', action: 'Withdraw a proposal', call: 'withdraw', values: { id: 1 }, first: proposing },
  { view: 'Proposals', action: 'Approve a proposal', call: 'approve', values: { id: 2 }, first: proposing },
  { view: 'Changes', action: 'Read the history', call: 'history' },
  { view: 'Changes', action: 'Read a revision', call: 'revision', values: { revision: 1 } },
  {
    view: 'Changes',
    action: 'Roll back to a revision',
    call: 'goBack',
    values: { revision: 1 },
    sent: { query: { dry_run: true } },
  },
  { view: 'Logs and events', action: 'Stream events', call: 'events' },
  { view: 'Logs and events', action: 'Stream the live log', call: 'logs' },
  { view: 'Server', action: 'Read threads and memory', call: 'vars' },
  { view: 'Server', action: 'Record a CPU profile of a thread', call: 'profile', sent: { query: { seconds: 1 } } },
  { view: 'Server', action: 'Save a heap snapshot of a thread', call: 'heap' },
  { view: 'Server', action: 'Read the fleet', call: 'fleet', status: 404 },
  { view: 'Server', action: 'Drain a member', call: 'drainMember', values: member, status: 404 },
  { view: 'Server', action: 'Undrain a member', call: 'undrainMember', values: member, status: 404 },
  { view: 'Server', action: 'Pause a rollout', call: 'pauseRollout', status: 404 },
  { view: 'Server', action: 'Resume a rollout', call: 'resumeRollout', status: 404 },
  { view: 'Server', action: 'Abort a rollout', call: 'abortRollout', status: 404 },
  { view: 'Server', action: 'Read the gradual rollout', call: 'rollout' },
  { view: 'Server', action: 'Pause a gradual rollout', call: 'pauseSteps', status: 409 },
  { view: 'Server', action: 'Resume a gradual rollout', call: 'resumeSteps', status: 409 },
  { view: 'Server', action: 'Abort a gradual rollout', call: 'abortSteps', status: 409 },
  { view: 'Server', action: 'Apply the change of a gradual rollout now', call: 'promoteSteps', status: 409 },
  { view: 'Server', action: 'Retry a rejected revision on a member', call: 'retryMember', status: 404 },
  { view: 'Server', action: 'Upgrade the process', call: 'upgrade' },
  { view: 'Server', action: 'Stop the server', call: 'stop' },
];

export const free: readonly (keyof typeof calls)[] = ['who', 'openSession', 'endSession'];
