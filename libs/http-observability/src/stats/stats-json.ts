/** Formats statistics for `GET /stats` and its event stream. */
import { retries } from '@sluice/http-app';
import type { DocumentRoute } from './document-routes.ts';
import { countsOf, type Interval, type Part } from './interval.ts';

/** Names of the lists in the statistics document. */
export const statsLists = ['servers', 'routes', 'hosts', 'upstreams'] as const;
export type StatsList = (typeof statsLists)[number];

/** Selection of statistics that a client requested. */
export interface StatsFilter {
  /** Names of the lists to include, in any order. */
  readonly lists: readonly StatsList[];
  /** Maximum number of entries in each list except `servers`. */
  readonly top: number;
  /** Name of the server to include; `null` for all servers. */
  readonly server: string | null;
  /** Path prefix of the routes to include. */
  readonly under: string;
}

/** Returns the document. */
export function statsJson({ from, to, seconds, ...interval }: Interval, filter: StatsFilter): object {
  const { lists, top, server, under } = filter;
  const isWanted = (name: string): boolean => server === null || server === name;
  const isRoute = ({ of }: Part<DocumentRoute>): boolean =>
    isWanted(of.server) && (under === '' || of.path.startsWith(under));
  const document: Record<string, unknown> = {
    at: new Date(to).toISOString(),
    since: new Date(from).toISOString(),
    seconds: Math.round(seconds * 1000) / 1000,
    total: countsOf(interval.total),
  };
  const leftOut: Record<string, number> = {};
  const add = <K>(list: StatsList, parts: readonly Part<K>[], describe: (part: Part<K>) => object): void => {
    if (!lists.includes(list)) return;
    const count = list === 'servers' ? parts.length : top;
    document[list] = parts.slice(0, count).map((part) => ({ ...describe(part), ...countsOf(part) }));
    if (list !== 'servers') leftOut[list] = Math.max(0, parts.length - count);
  };
  add(
    'servers',
    interval.servers.filter(({ of }) => isWanted(of)),
    (part) => ({ server: part.of }),
  );
  add('routes', interval.routes.filter(isRoute), ({ of, own }) => ({
    path: of.path,
    id: of.id,
    server: of.server,
    own,
  }));
  add(
    'hosts',
    interval.hosts.filter(({ of }) => isWanted(of.server)),
    ({ of }) => ({ host: of.host, server: of.server }),
  );
  add('upstreams', interval.upstreams, ({ of, numbers }) => ({ address: of, retries: numbers[retries] }));
  return { ...document, left_out: leftOut };
}
