/** Where requests are sent to: what is down comes first. */
import { ask } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { clock, relative, short } from '../../base/format.ts';
import { byHealth } from '../../base/health.ts';
import { parseWhere, pointerOf } from '../../base/paths.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { actionColumn, numberColumns, Table } from '../../parts/table.tsx';
import { TrafficCells, trafficColumns } from '../../parts/traffic-columns.tsx';
import { upstreamHealth, upstreams, type Upstream } from '../../state/health.ts';
import { linkTo } from '../../state/location.ts';
import { useRead } from '../../state/read.ts';
import { has } from '../../state/server.ts';
import { lately } from '../../state/stats.ts';
import { LastCheck } from './last-check.tsx';
import { Weight } from './weight.tsx';

const every = 2000;
const columns = [
  'Address',
  'State',
  ...numberColumns('under way', 'fails'),
  ...trafficColumns,
  'Last check',
  'Used by',
  actionColumn,
];

/** The view. */
export function Upstreams() {
  const there = has(calls.upstreams);
  const { value, problem, again } = useRead<readonly Upstream[]>(
    there ? calls.upstreams({}, { query: { detail: 'true' } }) : null,
    every,
  );
  const sorted = [...(value ?? [])].sort((a, b) => byHealth(upstreamHealth(a), upstreamHealth(b)));
  return (
    <>
      <Heading title="Upstreams" />
      {problem !== null && <Problem>{problem}</Problem>}
      {(!there || value?.length === 0) && (
        <Empty>
          An upstream is a server that requests are sent on to, by the handler reverse_proxy. None is configured:{' '}
          <a href={linkTo('sites', { add: 'proxy' })}>add a site</a> that proxies.
        </Empty>
      )}
      {sorted.length > 0 && (
        <Card title="All upstreams">
          <Table columns={columns}>
            {sorted.map((each) => (
              <OneUpstream key={each.address} upstream={each} onChange={again} />
            ))}
          </Table>
        </Card>
      )}
    </>
  );
}

function OneUpstream({ upstream, onChange }: { upstream: Upstream; onChange: () => void }) {
  const { address, num_requests: underWay, fails, draining, latency_ms: latency, proxies = [] } = upstream;
  const { state = 'unknown', reason, since } = upstream;
  const health = upstreamHealth(upstream);
  const counts = lately.value?.upstreams.find((each) => each.address === address);
  const changed = (): void => {
    onChange();
    void ask(calls.upstreams({}, { query: { detail: 'true' } })).then(
      ({ json }) => void (upstreams.value = json as readonly Upstream[]),
    );
  };
  return (
    <tr>
      <th scope="row">
        <code>{address}</code>
      </th>
      <td>
        <State health={health}>{draining === true ? (underWay > 0 ? 'draining' : 'drained') : state}</State>
        {reason !== undefined && <div class="soft wrap">{reason}</div>}
        {since !== undefined && (
          <div class="soft">
            since{' '}
            <time dateTime={since} title={clock(since)}>
              {relative(since)}
            </time>
          </div>
        )}
      </td>
      <td class="number">{short(underWay)}</td>
      <td class="number">{short(fails)}</td>
      <TrafficCells counts={counts} seconds={lately.value?.seconds ?? 1} latency={latency || null} />
      <td>
        <LastCheck proxies={proxies} />
      </td>
      <td>
        {proxies.map(({ where, state: here }) => (
          <div key={where} class="user">
            <a href={linkTo('config', { path: pointerOf(parseWhere(where)) })}>
              {where.replace(/^apps\.http\.servers\./, '')}
              {here !== undefined && here !== state && ` (${here})`}
            </a>
            <Weight address={address} where={where} />
          </div>
        ))}
      </td>
      <td>
        {draining === true ? (
          <Action
            label="Let requests in"
            call={calls.undrain({ address })}
            done={`${address} gets requests again`}
            onDone={changed}
          />
        ) : (
          <Action
            label="Drain"
            call={calls.drain({ address })}
            done={`${address} gets no new requests`}
            onDone={changed}
          />
        )}
      </td>
    </tr>
  );
}
