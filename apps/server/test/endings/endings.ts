/** Ends requests in different ways against a server. Returns the server's counters. */
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { until } from '../support/sandbox.ts';
import { send } from '../support/server.ts';
import { Http1Client, Http2Client, type Client, type Kind, type Protocol } from './clients.ts';
import type { Upstreams } from './upstreams.ts';

/** Side that ends a request, and the way in which it ends the request. */
export type Ending =
  | 'client closes'
  | 'client cancels'
  | 'client FIN'
  | 'client RST'
  | 'server closes'
  | 'upstream dies';

/** A test case: one kind of request, ended in one way. */
export interface Case {
  readonly protocol: Protocol;
  readonly kind: Kind;
  readonly ending: Ending;
}

/** Counters after a number of requests: metrics by status, and access log entries by level and status. */
export interface Counts {
  readonly requests: number;
  readonly errors: number;
  readonly durations: Readonly<Record<string, number>>;
  readonly firstBytes: Readonly<Record<string, number>>;
  readonly entries: Readonly<Record<string, number>>;
}

/** A running server under test. */
export interface Played {
  readonly admin: number;
  readonly http: number;
  /** Path of the log file. */
  readonly log: string;
}

const allEndings: readonly Ending[] = [
  'client closes',
  'client cancels',
  'client FIN',
  'client RST',
  'server closes',
  'upstream dies',
];

function casesOf(protocol: Protocol, kind: Kind, endings: readonly Ending[] = allEndings): Case[] {
  return endings.map((ending) => ({ protocol, kind, ending }));
}

/** All request endings except `client closes`. For event streams, downloads and silent requests, closing is equivalent to canceling. */
const withoutClose = allEndings.slice(1);
const ofClients = allEndings.slice(1, 4);

export const cases: readonly Case[] = [
  ...casesOf('http1', 'websocket'),
  ...casesOf('http2', 'websocket'),
  ...casesOf('http1', 'events', withoutClose),
  ...casesOf('http2', 'events', withoutClose),
  ...casesOf('http2', 'grpc'),
  ...casesOf('http1', 'download', withoutClose),
  ...casesOf('http2', 'download', withoutClose),
  // The half-close is excluded, because a client that half-closes its connection may still read the file.
  ...casesOf('http1', 'file', ['client cancels', 'client RST']),
  ...casesOf('http2', 'file', ofClients),
  ...casesOf('http1', 'silent', withoutClose),
  ...casesOf('http2', 'silent', withoutClose),
  ...casesOf('http1', 'upload', ofClients),
  ...casesOf('http2', 'upload', ofClients),
];

export function nameOf({ protocol, kind, ending }: Case): string {
  return `${kind} over ${protocol === 'http1' ? 'HTTP/1.1' : 'HTTP/2'}: ${ending}`;
}

/** Size of a file that does not fit in the socket buffers, in bytes. */
const fileSize = 64 * 1024 * 1024;

/** Writes a sparse file for downloads. */
export async function writeFile({ log }: Played): Promise<void> {
  const file = await open(join(dirname(log), 'file'), 'w');
  await file.truncate(fileSize);
  await file.close();
}

/** Returns the configuration for Caddy or Sluice, with both upstreams, metrics and access logs. */
export function configuration({ admin, http, log }: Played, [one, two]: readonly string[]): Record<string, unknown> {
  const proxy = (dial: string | undefined, transport: object = {}): object => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial }],
    ...transport,
  });
  const routes = [
    {
      match: [{ path: ['/grpc.Service/*'] }],
      handle: [proxy(two, { transport: { protocol: 'http', versions: ['h2c', '2'] } })],
    },
    { match: [{ path: ['/file'] }], handle: [{ handler: 'file_server', root: dirname(log) }] },
    { handle: [proxy(one)] },
  ];
  const server = {
    listen: [`127.0.0.1:${http}`],
    protocols: ['h1', 'h2', 'h2c'],
    automatic_https: { disable: true },
    logs: {},
    routes,
  };
  return {
    admin: { listen: `127.0.0.1:${admin}` },
    logging: {
      logs: { default: { writer: { output: 'file', filename: log, roll: false }, encoder: { format: 'json' } } },
    },
    // A short grace period allows the server to stop even if a test fails.
    apps: { http: { grace_period: '1s', metrics: {}, servers: { s: server } } },
  };
}

/** Runs a test case `count` times, with `atOnce` requests at a time. Returns the server's counters. */
export async function play(
  server: Played,
  upstreams: Upstreams,
  each: Case,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<Counts> {
  const before = await readCounts(server);
  for (let played = 0; played < count; played += atOnce)
    await playBatch(server.http, upstreams, each, Math.min(atOnce, count - played));
  const entries = (counts: RawCounts): number => sum(counts.entries) - sum(before.entries);
  let after = before;
  // Some servers do not count every request. The log entries show that the uncounted requests have ended.
  await until(
    async () => {
      after = await readCounts(server);
      return entries(after) >= count && after.inFlight === 0;
    },
    `${count} access log entries: ${nameOf(each)}`,
    10_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}; ${JSON.stringify(difference(after, before))}`);
  });
  return difference(after, before);
}

async function playBatch(port: number, upstreams: Upstreams, each: Case, size: number): Promise<void> {
  const clients = Array.from({ length: size }, () =>
    each.protocol === 'http1' ? new Http1Client(port, each.kind) : new Http2Client(port, each.kind),
  );
  const isOpen = (client: Client): boolean => client.begun || each.kind === 'silent' || each.kind === 'upload';
  const expected = each.kind === 'file' ? 0 : size;
  await until(() => upstreams.open.size === expected && clients.every(isOpen), `open: ${nameOf(each)}`, 10_000);
  end(clients, upstreams, each.ending);
  await until(
    () => {
      // A proxy may retry a request if a reused connection fails.
      if (each.ending === 'upstream dies') upstreams.die();
      return clients.every(({ closed }) => closed);
    },
    `closed: ${nameOf(each)}`,
    10_000,
  );
  await until(() => upstreams.open.size === 0, `closed at the upstream: ${nameOf(each)}`, 10_000);
}

function end(clients: readonly Client[], upstreams: Upstreams, ending: Ending): void {
  if (ending === 'server closes') return upstreams.finish();
  if (ending === 'upstream dies') return upstreams.die();
  for (const client of clients) {
    if (ending === 'client closes') client.close();
    else if (ending === 'client cancels') client.cancel();
    else if (ending === 'client FIN') client.fin();
    else client.reset();
  }
}

export function times(one: Counts, count: number): Counts {
  const all = (values: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value * count]));
  return {
    requests: one.requests * count,
    errors: one.errors * count,
    durations: all(one.durations),
    firstBytes: all(one.firstBytes),
    entries: all(one.entries),
  };
}

/** Counters of a server since its start. */
interface RawCounts extends Counts {
  readonly inFlight: number;
}

async function readCounts({ admin, log }: Played): Promise<RawCounts> {
  const { text } = await send(admin, '/metrics', {});
  const entries: Record<string, number> = {};
  for (const line of (await readFile(log, 'utf8').catch(() => '')).split('\n')) {
    if (!line.includes('"logger":"http.log.access')) continue;
    const { level, msg, status } = JSON.parse(line) as Record<string, string | number>;
    const name = `${level} ${msg} ${status}`;
    entries[name] = (entries[name] ?? 0) + 1;
  }
  return {
    requests: sum(samplesOf(text, 'caddy_http_requests_total')),
    errors: sum(samplesOf(text, 'caddy_http_request_errors_total')),
    durations: samplesOf(text, 'caddy_http_request_duration_seconds_count'),
    firstBytes: samplesOf(text, 'caddy_http_response_duration_seconds_count'),
    inFlight: sum(samplesOf(text, 'caddy_http_requests_in_flight')),
    entries,
  };
}

/** Returns the values of a metric by status. If the metric has no such label, the key is an empty string. */
function samplesOf(text: string, name: string): Record<string, number> {
  const values: Record<string, number> = {};
  for (const line of text.split('\n')) {
    if (!line.startsWith(`${name}{`)) continue;
    const code = /code="(\d+)"/.exec(line)?.[1] ?? '';
    values[code] = (values[code] ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return values;
}

function sum(values: Readonly<Record<string, number>>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

function difference(after: Counts, before: Counts): Counts {
  return {
    requests: after.requests - before.requests,
    errors: after.errors - before.errors,
    durations: differences(after.durations, before.durations),
    firstBytes: differences(after.firstBytes, before.firstBytes),
    entries: differences(after.entries, before.entries),
  };
}

function differences(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== 0));
}
