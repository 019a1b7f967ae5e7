import type { Json } from '../../base/json.ts';
import { sitesOf } from '../../base/sites.ts';
import { failures, type Stats } from '../../state/stats.ts';

export interface FlowNode {
  readonly key: string;
  readonly text: string;
  readonly column: 0 | 1 | 2;
  readonly row: number;
  /** Requests per second. */
  readonly rate: number;
  readonly errors: number;
}

/** Traffic between two nodes of the traffic map. */
export interface FlowEdge {
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly rate: number;
  /** Fraction of errors, from 0 to 1. */
  readonly failed: number;
}

/** Traffic map at one point in time. */
export interface Flow {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly rows: number;
}

const maxNodes = 14;

/** Computes the layout of the traffic map. Nodes are sorted by name, so that they keep their positions when rates change. */
export function flowOf(stats: Stats, document: Json | undefined): Flow {
  const span = Math.max(stats.seconds, 0.001);
  const rateOf = (each: Parameters<typeof failures>[0]): { rate: number; errors: number } => ({
    rate: each.requests / span,
    errors: failures(each) / span,
  });
  const place = (names: readonly Omit<FlowNode, 'row'>[]): FlowNode[] =>
    [...names].sort((a, b) => a.key.localeCompare(b.key)).map((each, row) => ({ ...each, row }));
  const servers = place(
    stats.servers
      .slice(0, maxNodes)
      .map((each) => ({ key: each.server, text: each.server, column: 0 as const, ...rateOf(each) })),
  );
  const hosts = place(
    stats.hosts.slice(0, maxNodes).map((each) => ({
      key: `${each.server} ${each.host}`,
      text: each.host || 'Other hosts',
      column: 1 as const,
      ...rateOf(each),
    })),
  );
  const upstreams = place(
    stats.upstreams
      .slice(0, maxNodes)
      .map((each) => ({ key: each.address, text: each.address, column: 2 as const, ...rateOf(each) })),
  );
  const sites = sitesOf(document);
  const edges = hosts.flatMap((host) => {
    const [server = '', name = ''] = host.key.split(' ');
    const from = servers.find(({ key }) => key === server);
    const used = new Set(
      sites
        .filter((site) => site.server === server && (site.hosts.includes(name) || site.hosts.length === 0))
        .flatMap((site) => site.upstreams),
    );
    const targets = upstreams.filter(({ key }) => used.has(key));
    const all = targets.reduce((sum, { rate }) => sum + rate, 0);
    return [
      ...(from === undefined ? [] : [edge(from, host, host.rate, host)]),
      ...targets.map((to) => edge(host, to, all === 0 ? 0 : (Math.min(host.rate, all) * to.rate) / all, to)),
    ];
  });
  return {
    nodes: [...servers, ...hosts, ...upstreams],
    edges,
    rows: Math.max(servers.length, hosts.length, upstreams.length, 1),
  };
}

function edge(from: FlowNode, to: FlowNode, rate: number, of: FlowNode): FlowEdge {
  return { from, to, rate, failed: of.rate === 0 ? 0 : of.errors / of.rate };
}
