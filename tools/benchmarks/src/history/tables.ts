/** Generates the tables of docs/benchmarks.md from the latest benchmark run. */
import { ratiosTo, type Measurements } from '../measure.ts';
import { median, type Interval } from '../statistics.ts';
import type { Run } from './run.ts';
import { titleOf } from './titles.ts';
import { targetRows } from './wanted.ts';

/** Returns the contents of each generated section, keyed by its marker. */
export function tablesOf(run: Run): ReadonlyMap<string, string> {
  return new Map([
    ['run', provenance(run)],
    ['wanted', table(targetRows(run))],
    ['requests', table([requestsHead, ...run.scenarios.map(requestsRow)])],
    ['latency', table([latencyHead, ...run.scenarios.map(latencyRow)])],
    ['changes', table([changesHead, ...run.changes.map(changesRow)])],
    ['under changes', underChanges(run)],
  ]);
}

/** Describes the run, the machine and the versions in one paragraph. */
function provenance({ date, commit, modified, machine, versions, rounds, seconds, scenarios }: Run): string {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const day = date.slice(0, 16).replace('T', ' ');
  return [
    `Run of ${day} UTC at commit ${commit.slice(0, 8)}${modified ? ', with local changes' : ''}: ${scenarios.length} workloads, ${rounds} rounds of`,
    `${seconds} s each. ${machine.processor}, ${machine.processors} cores, ${machine.memoryGiB} GiB, ${machine.system};`,
    `${programs.join(', ')}. Load average in the minute before: ${machine.loadBefore.toFixed(1)}.`,
  ].join('\n');
}

type Servers = Readonly<Record<string, Measurements>>;

const requestsHead = [
  'Workload',
  'sluice requests/s',
  'sluice CPU time',
  'rate vs. Caddy',
  'rate vs. nginx',
  'CPU time vs. Caddy',
  'CPU time vs. nginx',
];

function requestsRow({ name, servers }: { name: string; servers: Servers }): string[] {
  const result = new Map(Object.entries(servers));
  const ours = servers['sluice'];
  const [reference, nginx] = [ratiosTo(result, 'caddy'), ratiosTo(result, 'nginx')];
  return [
    titleOf(name),
    count(median(ours?.rates ?? [])),
    microseconds(median(ours?.costs ?? [])),
    ...[reference?.rate, nginx?.rate, reference?.cost, nginx?.cost].map(interval),
  ];
}

const latencyHead = [
  'Workload',
  'sluice: p50, p99, p99.9',
  'Caddy: p50, p99, p99.9',
  'nginx: p50, p99, p99.9',
  'p99 vs. Caddy',
];

function latencyRow({ name, servers }: { name: string; servers: Servers }): string[] {
  const of = (server: string, key: 'p50' | 'p99' | 'p999'): number =>
    median((servers[server]?.latencies ?? []).map((latency) => latency[key]));
  const cells = ['sluice', 'caddy', 'nginx'].map((server) =>
    servers[server] === undefined
      ? ''
      : [of(server, 'p50'), of(server, 'p99'), of(server, 'p999')].map(digits).join(', '),
  );
  return [titleOf(name), ...cells, digits(of('sluice', 'p99') / of('caddy', 'p99'))];
}

const changesHead = [
  'Routes',
  'Load',
  'sluice: change rate, p50',
  'Caddy: change rate, p50',
  'ratio',
  'sluice: request p99 (before → during), failed requests',
  'Caddy: request p99 (before → during), failed requests',
];

function changesRow({ routes, loaded, servers }: Run['changes'][number]): string[] {
  const said = (name: string): string =>
    `${count(median(servers[name]?.rates ?? []))}/s, ${digits(median(servers[name]?.medians ?? []))} ms`;
  const noticed = (name: string): string => {
    if (!loaded) return '';
    const { quietP99s = [], requestP99s = [], failed = [] } = servers[name] ?? {};
    const lost = failed.reduce((sum, each) => sum + each, 0);
    return `${digits(median(quietP99s))} → ${digits(median(requestP99s))} ms, ${count(lost)} failed`;
  };
  const ratio = median((servers['sluice']?.rates ?? []).map((rate, i) => rate / (servers['caddy']?.rates[i] ?? NaN)));
  const requests = loaded ? '8 connections' : 'none';
  return [count(routes), requests, said('sluice'), said('caddy'), digits(ratio), noticed('sluice'), noticed('caddy')];
}

function underChanges({ underChanges: measured }: Run): string {
  if (measured === null) return 'Not measured.';
  const rows = Object.entries(measured.servers).map(([name, { quiet, changed, failed }]) => [
    name === 'caddy' ? 'Caddy' : name,
    `${digits(median(quiet))} ms`,
    `${digits(median(changed))} ms`,
    count(failed),
  ]);
  return table([['Server', 'p99 without changes', 'p99 during 200 changes', 'failed requests'], ...rows]);
}

/** Formats a Markdown table with aligned columns, as the code formatter does. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, i) => (row[i] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}

function interval(ratio: Interval | undefined): string {
  return ratio === undefined ? '' : `${digits(ratio.middle)} (${digits(ratio.low)} to ${digits(ratio.high)})`;
}

function microseconds(time: number): string {
  return `${digits(time)} µs`;
}

function count(number: number): string {
  return number.toLocaleString('en', { maximumFractionDigits: number < 10 ? 1 : 0 });
}

/** Formats a number with about three significant digits. */
function digits(number: number): string {
  if (!Number.isFinite(number)) return '';
  return number >= 100 ? count(number) : number.toFixed(number >= 10 ? 1 : 2);
}
