/** Charts of the statistics kept since the server started. */
import { useMemo } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { unreachableSince } from '../../api/reachable.ts';
import { Empty, Heading, Problem } from '../../parts/basic.tsx';
import { adjust, place } from '../../state/location.ts';
import { has } from '../../state/server.ts';
import { lengthOf, useStatsHistory } from '../../state/stats-history.ts';
import { chartsOf } from './charts.ts';
import { Downtime } from './downtime.tsx';
import { Listeners } from './listeners.tsx';
import { Plot } from './plot.tsx';

/** Seconds by label. */
const ranges: Readonly<Record<string, number>> = {
  '5 min': 300,
  '15 min': 900,
  '1 h': 3600,
  '6 h': 21_600,
  '24 h': 86_400,
};

const defaultRange = 900;

export function Statistics() {
  if (has(calls.statsHistory)) return <History />;
  return (
    <>
      <Heading title="Statistics" />
      <Empty>This server does not keep statistics: it has no /stats/history endpoint.</Empty>
    </>
  );
}

function History() {
  const { range: chosen = '', upstream = '' } = place.value.values;
  const range = Object.values(ranges).find((seconds) => String(seconds) === chosen) ?? defaultRange;
  const { value, problem } = useStatsHistory(range, upstream);
  const charts = useMemo(() => (value === null ? [] : chartsOf(value, upstream !== '')), [value, upstream]);
  const times = useMemo(() => {
    const { step, from, series } = value ?? { step: 1, from: 0, series: {} };
    // Draw a value at the end of its step.
    return Array.from({ length: lengthOf(series) }, (_, index) => from / 1000 + (index + 1) * step);
  }, [value]);
  // Show a gap at the end while the server does not respond.
  const missed = unreachableSince.value === null ? 0 : (Date.now() - unreachableSince.value) / 1000;
  const to = (times.at(-1) ?? Date.now() / 1000) + missed;
  const upstreams = value?.upstreams ?? [];
  return (
    <>
      <Heading title="Statistics">
        <label class="choice">
          Source{' '}
          <select value={upstream} onChange={(event) => adjust({ upstream: event.currentTarget.value })}>
            <option value="">Server</option>
            {upstream !== '' && upstreams.every(({ address }) => address !== upstream) && (
              <option value={upstream}>{upstream}</option>
            )}
            {upstreams.map(({ address }) => (
              <option key={address} value={address}>
                {address}
              </option>
            ))}
          </select>
        </label>
        <label class="choice">
          Range{' '}
          <select value={String(range)} onChange={(event) => adjust({ range: event.currentTarget.value })}>
            {Object.entries(ranges).map(([label, seconds]) => (
              <option key={seconds} value={String(seconds)}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </Heading>
      {problem !== null && <Problem>{problem}</Problem>}
      {value === null && problem === null && <p class="soft">Loading…</p>}
      {value !== null && (
        <>
          <div class="plots">
            {charts.map((chart) => (
              <Plot key={chart.title} {...chart} times={times} from={to - range} to={to} />
            ))}
          </div>
          <p class="soft note">
            Resolution: {value.step} s. Since startup, the server keeps data in memory: at 10 s resolution for an hour,
            and at 60 s resolution for a day. A gap means that there is no data.
          </p>
          <Downtime upstreams={upstreams} selected={upstream} />
          {upstream === '' && <Listeners />}
        </>
      )}
    </>
  );
}
