/** The stats as `GET /stats` and its stream give them. */
import { countsOf, type Interval, type Part } from './interval.ts';

/** What a client wants to see. */
export interface StatsFilter {
  /** Most entries of each list but that of servers. */
  readonly top: number;
  /** Of this server alone; `null`: of all. */
  readonly server: string | null;
  /** Routes whose path begins so. */
  readonly under: string;
}

/** The document. */
export function statsJson({ from, to, seconds, ...interval }: Interval, filter: StatsFilter): object {
  const { top, server, under } = filter;
  const isWanted = (name: string): boolean => server === null || server === name;
  const routes = interval.routes.filter(({ of }) => isWanted(of.server) && (under === '' || of.path.startsWith(under)));
  const hosts = interval.hosts.filter(({ of }) => isWanted(of.server));
  const { upstreams } = interval;
  return {
    at: new Date(to).toISOString(),
    since: new Date(from).toISOString(),
    seconds: Math.round(seconds * 1000) / 1000,
    total: countsOf(interval.total),
    servers: entries(
      interval.servers.filter(({ of }) => isWanted(of)),
      (part) => ({ server: part.of }),
    ),
    routes: entries(routes.slice(0, top), ({ of, own }) => ({ path: of.path, id: of.id, server: of.server, own })),
    hosts: entries(hosts.slice(0, top), ({ of }) => ({ host: of.host, server: of.server })),
    upstreams: entries(upstreams.slice(0, top), ({ of }) => ({ address: of })),
    left_out: {
      routes: Math.max(0, routes.length - top),
      hosts: Math.max(0, hosts.length - top),
      upstreams: Math.max(0, upstreams.length - top),
    },
  };
}

function entries<K>(parts: readonly Part<K>[], describe: (part: Part<K>) => object): object[] {
  return parts.map((part) => ({ ...describe(part), ...countsOf(part) }));
}
