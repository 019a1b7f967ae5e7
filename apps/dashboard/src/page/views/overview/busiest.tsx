/** Hosts and routes with the most requests. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Card } from '../../parts/basic.tsx';
import { Table } from '../../parts/table.tsx';
import { TrafficCells, trafficColumns } from '../../parts/traffic-columns.tsx';
import { inPlaces, type Named } from '../../base/steady.ts';
import { parseWhere, pointerOf, whereOf } from '../../base/paths.ts';
import { linkTo } from '../../state/location.ts';
import { total, lately, type Counts } from '../../state/stats.ts';

const rows = 8;

/** Shows both rankings. An entry keeps its row while it is among the busiest entries. */
export function Busiest() {
  const stats = lately.value ?? total.value;
  if (stats === null) return null;
  return (
    <div class="halves">
      <Card title="Busiest hosts">
        <Ranking
          of="Host"
          entries={stats.hosts.slice(0, rows).map((each) => ({
            key: `${each.server} ${each.host}`,
            name:
              each.host === '' ? (
                <span class="soft">Other hosts</span>
              ) : (
                <a href={linkTo('sites', { find: each.host })}>{each.host}</a>
              ),
            counts: each,
          }))}
          seconds={stats.seconds}
        />
      </Card>
      <Card title="Busiest routes">
        <Ranking
          of="Route"
          entries={stats.routes.slice(0, rows).map((each) => ({
            key: each.path,
            name: (
              <a href={linkTo('config', { path: pointerOf(parseWhere(each.path)) })}>
                {each.id ?? whereOf(parseWhere(each.path).slice(3))}
              </a>
            ),
            counts: each,
          }))}
          seconds={stats.seconds}
        />
      </Card>
    </div>
  );
}

interface Entry extends Named {
  readonly name: ComponentChildren;
  /** `undefined` if the host or route has no requests. */
  readonly counts: Counts | undefined;
}

function Ranking({ of, entries, seconds }: { of: string; entries: readonly Entry[]; seconds: number }) {
  const places = useRef<readonly Entry[]>([]);
  places.current = inPlaces(places.current, entries, (entry) => ({ ...entry, counts: undefined }));
  if (places.current.length === 0) return <div class="empty">No requests in the last few seconds.</div>;
  return (
    <Table columns={[of, ...trafficColumns]} isSteady>
      {places.current.map(({ name, counts }, place) => (
        <tr key={place}>
          <th scope="row">{name}</th>
          <TrafficCells counts={counts} seconds={seconds} />
        </tr>
      ))}
    </Table>
  );
}
