/** Downtime of upstreams. */
import { duration } from '../../base/format.ts';
import { Card, Empty } from '../../parts/basic.tsx';
import { usePages } from '../../parts/pager.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import { linkTo, place } from '../../state/location.ts';
import type { StatsHistory } from '../../state/stats-history.ts';

const rowsPerPage = 20;

/** Shows all upstreams, or the selected one. */
export function Downtime({ upstreams, selected }: { upstreams: StatsHistory['upstreams']; selected: string }) {
  const { range } = place.value.values;
  const some = upstreams
    .filter(({ address, downtime_seconds: down }) => (selected === '' ? down > 0 : address === selected))
    .toSorted((a, b) => b.downtime_seconds - a.downtime_seconds || a.address.localeCompare(b.address));
  const { rows, pager } = usePages(some, rowsPerPage, 'Upstream pages');
  if (upstreams.length === 0) return null;
  return (
    <Card title="Upstream downtime">
      {some.length === 0 && <Empty>No downtime.</Empty>}
      {some.length > 0 && (
        <Table columns={['Upstream', ...numberColumns('Downtime')]}>
          {rows.map(({ address, downtime_seconds: seconds }) => (
            <tr key={address}>
              <th scope="row">
                <a href={linkTo('statistics', { upstream: address, ...(range === undefined ? {} : { range }) })}>
                  <code>{address}</code>
                </a>
              </th>
              <td class="number">{seconds === 0 ? 'none' : duration(seconds)}</td>
            </tr>
          ))}
        </Table>
      )}
      {pager}
      <p class="pad soft">
        Time during which all proxies considered an upstream unhealthy, since the server started or the upstream was
        added.
      </p>
    </Card>
  );
}
