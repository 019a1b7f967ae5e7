/** Performance targets, compared with the results of a run. */
import { ratiosTo, type Measurements } from '../measure.ts';
import { median } from '../statistics.ts';
import type { Run } from './run.ts';
import { titleOf } from './titles.ts';

/** Target for a workload: minimum ratio to a competitor, based on CPU time per request. */
interface Wanted {
  readonly workload: string;
  readonly reference: number;
  /** Minimum ratio to nginx. `null` if nginx has no equivalent or there is no target. */
  readonly nginx: number | null;
  /** Section of docs/benchmarks.md that describes the profile, the attempts, and the required work. */
  readonly section: string;
}

const small = 'cpu-profile-of-a-small-request';
const proxied = 'cpu-profile-of-a-proxied-request';
const files = 'cpu-profile-of-a-file-request';
const compression = 'compression-levels';
const secure = 'tls-and-http2';

const wanted: readonly Wanted[] = [
  { workload: 'plain response', reference: 2.8, nginx: 1, section: small },
  { workload: '20 routes, matchers, placeholders, headers', reference: 4, nginx: null, section: small },
  { workload: 'host 1 of 100', reference: 6.7, nginx: 0.88, section: small },
  { workload: 'host 10,000 of 10,000', reference: 463, nginx: 1.03, section: small },
  { workload: 'file of 1 KiB', reference: 5.6, nginx: 1.07, section: files },
  { workload: 'file of 100 KiB', reference: 4.7, nginx: 1.28, section: files },
  { workload: 'file of 10 MiB', reference: 2.4, nginx: 1.8, section: files },
  { workload: 'file of 64 MiB', reference: 1.2, nginx: 1.3, section: files },
  { workload: 'gzip of a page of 20 KiB', reference: 7.7, nginx: 5.2, section: compression },
  { workload: 'gzip of a page of 20 KiB, another for each request', reference: 1.2, nginx: null, section: compression },
  { workload: 'TLS 1.3 on kept connections', reference: 2.2, nginx: 1, section: small },
  { workload: 'HTTP/2 over TLS, 16 streams', reference: 10, nginx: 1.5, section: secure },
  { workload: 'HTTP/2 over TLS, one stream', reference: 3.5, nginx: 0.9, section: small },
  { workload: 'full handshakes, ECDSA', reference: 1, nginx: null, section: secure },
  { workload: 'proxied plain response', reference: 4.5, nginx: 0.85, section: proxied },
  { workload: 'proxied body of 1 MiB', reference: 1.3, nginx: 0.8, section: proxied },
];

/** Targets for the rate of single-value changes, as a ratio to Caddy. */
const wantedChanges = [
  { routes: 10, loaded: false, reference: 1.6 },
  { routes: 10, loaded: true, reference: 1 },
  { routes: 1000, loaded: false, reference: 36 },
  { routes: 10_000, loaded: false, reference: 323 },
] as const;

/** Maximum ratio of p99 latency during changes to p99 latency without changes. */
const wantedUnderChanges = 2;

/** Returns a table row for each target that a run has measured. */
export function targetRows(run: Run): string[][] {
  return [
    ['Workload', 'vs. Caddy: target', 'result', 'vs. nginx: target', 'result', 'p99 vs. Caddy', 'Verdict'],
    ...wanted.flatMap((each) => requestRow(run, each)),
    ...wantedChanges.flatMap((each) => changeRow(run, each)),
    ...underChangesRow(run),
  ];
}

function requestRow(run: Run, { workload, reference, nginx, section }: Wanted): string[][] {
  const servers = run.scenarios.find(({ name }) => name === workload)?.servers;
  if (servers === undefined) return [];
  const result = new Map(Object.entries(servers));
  const toReference = ratiosTo(result, 'caddy')?.cost.middle ?? Number.NaN;
  const toNginx = ratiosTo(result, 'nginx')?.cost.middle ?? Number.NaN;
  const latency = p99(servers['sluice']) / p99(servers['caddy']);
  const holds = toReference >= reference && (nginx === null || toNginx >= nginx) && latency <= 1;
  return [
    [
      titleOf(workload),
      ratio(reference),
      ratio(toReference),
      nginx === null ? '' : ratio(nginx),
      nginx === null ? '' : ratio(toNginx),
      ratio(latency),
      verdict(holds, section),
    ],
  ];
}

function changeRow(run: Run, { routes, loaded, reference }: (typeof wantedChanges)[number]): string[][] {
  const servers = run.changes.find((each) => each.routes === routes && each.loaded === loaded)?.servers;
  const [ours, theirs] = [servers?.['sluice'], servers?.['caddy']];
  if (ours === undefined || theirs === undefined) return [];
  const has = median(ours.rates.map((rate, i) => rate / (theirs.rates[i] ?? Number.NaN)));
  const name = `changing one value among ${routes.toLocaleString('en')} routes${loaded ? ', under load' : ''}`;
  return [[name, ratio(reference), ratio(has), '', '', '', verdict(has >= reference, 'cpu-profile-of-a-change')]];
}

function underChangesRow({ underChanges }: Run): string[][] {
  const ours = underChanges?.servers['sluice'];
  if (ours === undefined) return [];
  const grows = median(ours.changed) / median(ours.quiet);
  const name = `p99 during 200 changes divided by p99 without changes (at most ${wantedUnderChanges})`;
  return [[name, '', '', '', '', ratio(grows), verdict(grows <= wantedUnderChanges, 'cpu-profile-of-a-change')]];
}

function p99(measured: Measurements | undefined): number {
  return median((measured?.latencies ?? []).map((latency) => latency.p99));
}

function verdict(holds: boolean, section: string): string {
  return holds ? 'met' : `[missed](#${section})`;
}

function ratio(number: number): string {
  if (!Number.isFinite(number)) return '';
  return number >= 100 ? number.toFixed(0) : String(Number(number.toPrecision(3)));
}
