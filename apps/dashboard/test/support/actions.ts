/** What one can do in the dashboard: each is one call, and the right to make that call is all that it needs. */
import type { calls, Sent } from '../../src/page/api/calls.ts';
import type { Path } from '../../src/page/base/json.ts';

/** Something that one can do. */
export interface PageAction {
  readonly view: string;
  readonly action: string;
  readonly call: keyof typeof calls;
  readonly values?: Readonly<Record<string, string | number | Path>>;
  readonly sent?: Sent;
  /** What a server that is in no fleet responds with to one who may. */
  readonly status?: number;
  /** A call that has to be made before it can succeed, by someone who may. */
  readonly first?: Pick<PageAction, 'call' | 'values' | 'sent'>;
}

const json = (text: string): Sent => ({ headers: { 'Content-Type': 'application/json' }, text });
const value: Path = ['apps', 'http', 'servers', 'demo', 'routes', 0, 'handle', 0, 'body'];
const upstream = { address: '127.0.0.1:9' };
const member = { name: 'web-1' };
const patch: Sent = {
  headers: { 'Content-Type': 'application/json-patch+json' },
  text: JSON.stringify([{ op: 'test', path: '/apps/http/servers/demo/routes/0/@id', value: 'hello' }]),
};

/** All of them, in the order of the views. */
export const actions: readonly PageAction[] = [
  { view: 'All', action: 'See who you are', call: 'who' },
  { view: 'All', action: 'See what the server has', call: 'describe' },
  { view: 'All', action: 'See all of the configuration', call: 'readAll' },
  { view: 'All', action: 'See a part of the configuration', call: 'readConfig', values: { path: ['apps', 'http'] } },
  { view: 'All', action: 'See the forms of modules', call: 'schema' },
  { view: 'All', action: 'Try, or apply, changes of the whole', call: 'patchAll', sent: patch },
  {
    view: 'All',
    action: 'Try, or apply, changes of a part',
    call: 'patch',
    values: { path: value },
    sent: json('"hello again"'),
  },
  {
    view: 'All',
    action: 'Keep a change that waits for it',
    call: 'confirm',
    values: { revision: 3 },
    first: {
      call: 'patch',
      values: { path: value },
      sent: { ...json('"once more"'), query: { confirm_within: '60s' } },
    },
  },
  { view: 'Overview, Traffic', action: 'See the traffic', call: 'stats' },
  { view: 'Overview, Traffic', action: 'See the traffic as it is', call: 'statsStream' },
  { view: 'Overview, Statistics', action: 'See statistics over time', call: 'statsHistory' },
  { view: 'Statistics', action: 'See listeners and their limits', call: 'listeners' },
  {
    view: 'Sites, Configuration',
    action: 'Read a Caddyfile',
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
    action: 'Make a test of a request',
    call: 'makeTest',
    sent: { json: { url: 'http://old.example.com/', server: 'demo' } },
  },
  { view: 'Traffic', action: 'Record requests', call: 'record', sent: { json: { count: 1, seconds: 1 } } },
  { view: 'Traffic', action: 'See recorded requests', call: 'traces', sent: { query: { follow: 'false' } } },
  { view: 'Traffic', action: 'End a recording', call: 'endTraces' },
  { view: 'Upstreams', action: 'See upstreams', call: 'upstreamSummary' },
  { view: 'Upstreams', action: 'See the proxies that use an upstream', call: 'upstreams' },
  { view: 'Upstreams', action: 'Drain an upstream', call: 'drain', values: upstream },
  { view: 'Upstreams', action: 'Resume traffic to an upstream', call: 'undrain', values: upstream },
  { view: 'Certificates', action: 'See certificates', call: 'certificates' },
  {
    view: 'Certificates',
    action: 'Renew a certificate now',
    call: 'renew',
    values: { name: 'managed.example.com' },
  },
  { view: 'Certificates', action: 'See an authority', call: 'authority', values: { id: 'local' } },
  { view: 'Changes', action: 'See changes', call: 'history' },
  { view: 'Changes', action: 'See a change', call: 'revision', values: { revision: 1 } },
  {
    view: 'Changes',
    action: 'Go back to a revision',
    call: 'goBack',
    values: { revision: 1 },
    sent: { query: { dry_run: true } },
  },
  { view: 'Logs and events', action: 'See events', call: 'events' },
  { view: 'Logs and events', action: 'Follow the logs', call: 'logs' },
  { view: 'Server', action: 'See threads and memory', call: 'vars' },
  { view: 'Server', action: 'Take a profile of a thread', call: 'profile', sent: { query: { seconds: 1 } } },
  { view: 'Server', action: 'Take a snapshot of the heap of a thread', call: 'heap' },
  { view: 'Server', action: 'See the fleet', call: 'fleet', status: 404 },
  { view: 'Server', action: 'Drain a member', call: 'drainMember', values: member, status: 404 },
  { view: 'Server', action: 'Let clients to a member again', call: 'undrainMember', values: member, status: 404 },
  { view: 'Server', action: 'Pause a roll-out', call: 'pauseRollout', status: 404 },
  { view: 'Server', action: 'Have a roll-out go on', call: 'resumeRollout', status: 404 },
  { view: 'Server', action: 'Take a roll-out back', call: 'abortRollout', status: 404 },
  { view: 'Server', action: 'Have a member try again', call: 'retryMember', status: 404 },
  { view: 'Server', action: 'Replace the process', call: 'upgrade' },
  { view: 'Server', action: 'Stop the server', call: 'stop' },
];

/** For who is not known yet, or for oneself: no permission is asked for. */
export const free: readonly (keyof typeof calls)[] = ['who', 'openSession', 'endSession'];
