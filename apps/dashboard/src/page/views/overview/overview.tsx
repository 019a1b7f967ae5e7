/** Overview: status, problems, four charts, busiest hosts and routes. */
import { calls } from '../../api/calls.ts';
import { unreachableSince } from '../../api/reachable.ts';
import { lacking } from '../../api/session.ts';
import { bytes, count, milliseconds, percent, rate as requestRate, short } from '../../base/format.ts';
import { Card, Empty, Heading, Problem, State } from '../../parts/basic.tsx';
import { Chart } from '../../parts/chart.tsx';
import { configurationProblem } from '../../state/configuration.ts';
import { troubles } from '../../state/health.ts';
import { addressesOf, type ServerListeners } from '../../state/listeners.ts';
import { linkTo } from '../../state/location.ts';
import { useRead } from '../../state/read.ts';
import { has } from '../../state/server.ts';
import { failures, lately, samples, statsProblem, total, type Sample } from '../../state/stats.ts';
import { Busiest } from './busiest.tsx';

/** Maximum number of listed problems; the other views show all problems. */
const shownTroubles = 5;

export function Overview() {
  return (
    <>
      <Heading title="Overview" />
      {configurationProblem.value !== null && (
        <Problem>Cannot read the configuration: {configurationProblem.value}</Problem>
      )}
      <p class="sentence">
        <Sentence />
      </p>
      <Troubles />
      {statsProblem.value !== null && <Empty>{statsProblem.value}</Empty>}
      {(statsProblem.value === null || total.value !== null) && <Traffic />}
    </>
  );
}

function Sentence() {
  if (unreachableSince.value !== null) return <State health="idle">Unknown</State>;
  const [first] = troubles.value;
  if (first !== undefined)
    return (
      <State health={first.health}>
        {troubles.value.length === 1
          ? first.text
          : `${first.text}, and ${count(troubles.value.length - 1, 'more problem')}`}
      </State>
    );
  const last = samples.value.slice(-5);
  const rate = last.reduce((sum, each) => sum + (each.rate ?? 0), 0) / Math.max(last.length, 1);
  const errors = last.reduce((sum, each) => sum + (each.errors ?? 0), 0) / Math.max(last.length, 1);
  if (last.length === 0) return <State health="ok">Healthy</State>;
  return <State health="ok">{`Healthy: ${requestRate(rate)}, ${percent(errors, rate)} 5xx`}</State>;
}

function Troubles() {
  const some = troubles.value.slice(0, shownTroubles);
  if (some.length === 0) return null;
  return (
    <Card title="Problems">
      <table class="list">
        <tbody>
          {some.map(({ health, text, view, values }) => (
            <tr key={text}>
              <td>
                <State health={health}>{health === 'bad' ? 'Critical' : 'Warning'}</State>
              </td>
              <td>
                <a href={linkTo(view, values)}>{text}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Traffic() {
  const all = total.value;
  if (all !== null && all.total.requests === 0 && (lately.value?.total.requests ?? 0) === 0) return <NoRequest />;
  const line = (key: Exclude<keyof Sample, 'at'>): (readonly [number, number | null])[] =>
    samples.value.map((each) => [each.at, each[key]]);
  return (
    <>
      <div class="charts">
        <Chart title="Requests" unit=" req/s" values={line('rate')} format={short} />
        <Chart title="5xx responses" unit=" req/s" values={line('errors')} format={short} health="bad" />
        <Chart title="p99 latency" values={line('p99')} format={milliseconds} />
        <Chart title="Sent" unit="/s" values={line('bytes')} format={bytes} />
      </div>
      {all !== null && (
        <p class="soft">
          {/* The link comes first, so that it does not move when the numbers become longer. */}
          <a href={linkTo('statistics')}>Charts for the last few hours</a>
          {` · Since startup: ${count(all.total.requests, 'request')}, ${percent(failures(all.total), all.total.requests)} ` +
            `5xx, ${bytes(all.total.bytes_out)} sent, ${short(all.total.in_flight)} in flight.`}
        </p>
      )}
      <Busiest />
    </>
  );
}

function NoRequest() {
  // The configuration may be megabytes, so don't read it here.
  const call = calls.listeners();
  const { value } = useRead<readonly ServerListeners[]>(lacking(call) === null && has(calls.listeners) ? call : null);
  const [address] = (value ?? []).flatMap(addressesOf);
  return (
    <Empty>
      <p>No requests yet.</p>
      {address !== undefined && (
        <p>
          Send one: <code>curl -i {address}</code>
        </p>
      )}
    </Empty>
  );
}
