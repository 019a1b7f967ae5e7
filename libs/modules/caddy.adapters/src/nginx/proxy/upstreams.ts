/** Translates `upstream` blocks: server groups and load balancing. */
import type { Adaptation } from '../adaptation.ts';
import { node, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { parseDuration } from '../text/values.ts';
import { dialOf } from './address.ts';

export interface Group {
  readonly upstreams: readonly Node[];
  readonly loadBalancing: Node | undefined;
  readonly healthChecks: Node | undefined;
  /** Maximum number and timeout of idle connections. `undefined` if not set. */
  readonly keepalive: Node | undefined;
}

interface Server {
  readonly directive: Directive;
  readonly host: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns an upstream group with a single server, for an address without an `upstream` block. */
export function singleServer(dial: string): Group {
  return { upstreams: [{ dial }], loadBalancing: undefined, healthChecks: undefined, keepalive: undefined };
}

/** Translates an `upstream` block to an upstream group. */
export function translateGroup(adaptation: Adaptation, group: Directive, scheme: string): Group {
  const all = (group.block ?? [])
    .filter(({ name }) => name === 'server')
    .map((server) => readServer(adaptation, server));
  const up = all.filter(({ parameters }) => !parameters.has('down'));
  if (up.length === 0) throw problemAt(group, `upstream ${group.args[0] ?? ''} has no server, or all are marked down`);
  const primary = up.filter(({ parameters }) => !parameters.has('backup'));
  const backup = up.filter(({ parameters }) => parameters.has('backup'));
  const inOrder = primary.length <= 1 && backup.length > 0;
  if (!inOrder)
    for (const { directive } of backup)
      adaptation.warn(
        directive,
        'backup servers are supported only after a single primary server; this server does not receive requests',
      );
  const servers = inOrder ? [...primary, ...backup] : primary;
  return {
    upstreams: servers.map(({ host, parameters }) =>
      node({ dial: dialOf(host, scheme), max_requests: positive(parameters.get('max_conns')) }),
    ),
    loadBalancing: balancing(inOrder ? { policy: 'first' } : policyOf(adaptation, group, servers), servers),
    healthChecks: servers.length < 2 ? undefined : passiveChecks(servers),
    keepalive: keepaliveOf(group.block ?? []),
  };
}

function keepaliveOf(block: readonly Directive[]): Node | undefined {
  const time = block.findLast(({ name }) => name === 'keepalive_timeout');
  const options = node({
    max_idle_conns_per_host: positive(block.findLast(({ name }) => name === 'keepalive')?.args[0]),
    idle_timeout: time === undefined ? undefined : parseDuration(time, argument(time, 0, 'a time')),
  });
  return Object.keys(options).length === 0 ? undefined : options;
}

/** Supported server parameters, including parameters that have no effect here. */
const understood: ReadonlySet<string> = new Set(['weight', 'max_conns', 'max_fails', 'fail_timeout', 'backup', 'down']);

function readServer(adaptation: Adaptation, directive: Directive): Server {
  const host = argument(directive, 0, 'an address');
  const parameters = new Map(
    directive.args.slice(1).map((text): [string, string] => {
      const at = text.indexOf('=');
      return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );
  for (const name of parameters.keys())
    if (!understood.has(name)) adaptation.warn(directive, `${name} of a server is not supported and is ignored`);
  return { directive, host, parameters };
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text ?? 0);
  return value > 0 ? value : undefined;
}

function balancing(policy: Node, servers: readonly Server[]): Node | undefined {
  if (servers.length < 2) return undefined;
  return { selection_policy: policy, retries: servers.length - 1 };
}

/** Keys of the `hash` directive for which there is a dedicated load balancing policy. */
const hashPolicies: readonly (readonly [expression: RegExp, policy: (name: string) => Node])[] = [
  [/^\$(?:binary_)?remote_addr$/, () => ({ policy: 'client_ip_hash' })],
  [/^\$(?:request_)?uri$/, () => ({ policy: 'uri_hash' })],
  [/^\$http_(\w+)$/, (name) => ({ policy: 'header', field: name.replaceAll('_', '-') })],
  [/^\$arg_(\w+)$/, (name) => ({ policy: 'query', key: name })],
];

function policyOf(adaptation: Adaptation, group: Directive, servers: readonly Server[]): Node {
  const block = group.block ?? [];
  const weights = servers.map(({ parameters }) => positive(parameters.get('weight')) ?? 1);
  const weighted = weights.some((weight) => weight !== 1);
  const method = block.find(({ name }) => methods.has(name));
  if (method === undefined) return weighted ? { policy: 'weighted_round_robin', weights } : { policy: 'round_robin' };
  if (weighted) adaptation.warn(method, `weights are ignored with ${method.name}; all servers are treated equally`);
  return (methods.get(method.name) as Method)(adaptation, method);
}

type Method = (adaptation: Adaptation, directive: Directive) => Node;

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['least_conn', () => ({ policy: 'least_conn' })],
  ['ip_hash', () => ({ policy: 'client_ip_hash' })],
  ['random', (_, { args }) => (args[0] === 'two' ? { policy: 'random_choose', choose: 2 } : { policy: 'random' })],
  ['hash', hashPolicy],
]);

function hashPolicy(adaptation: Adaptation, directive: Directive): Node {
  const key = argument(directive, 0, 'a key');
  for (const [expression, policy] of hashPolicies) {
    const match = expression.exec(key);
    if (match !== null) return policy(match[1] ?? '');
  }
  adaptation.warn(directive, `hash ${key} is not supported; servers are selected by client address`);
  return { policy: 'client_ip_hash' };
}

/** Returns passive health checks. By default, nginx skips a server for ten seconds after one failure. */
function passiveChecks(servers: readonly Server[]): Node | undefined {
  const [{ directive, parameters }] = servers as [Server];
  const fails = Number(parameters.get('max_fails') ?? 1);
  if (fails === 0) return undefined;
  return {
    passive: { max_fails: fails, fail_duration: parseDuration(directive, parameters.get('fail_timeout') ?? '10s') },
  };
}
