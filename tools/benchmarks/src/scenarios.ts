/** Requests per second, interleaved: in each round every server is asked in turn, and ratios are of one round. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hosts, plain, twentyRoutes, withRoutes } from './configs.ts';
import { load } from './load.ts';
import { median } from './machine.ts';
import { nativeServers, startNative, startNginx, type Running } from './servers.ts';
import { byHandshakes, overHttp2, overKeptTls } from './tls/ways.ts';
import type { Way } from './way.ts';

/** A way to ask. */
export interface Scenario {
  readonly name: string;
  readonly routes: readonly unknown[];
  readonly path: string;
  readonly headers?: readonly string[];
  /** `server` block for nginx, where it can do the same. */
  readonly nginx?: string;
  readonly connections?: number;
  /** Options of the app `http` whose price is asked for: ours is also measured without them. */
  readonly http?: object;
  readonly way?: Way;
}

/** All scenarios; `folder` holds the files that are served. */
export function scenarios(folder: string): Scenario[] {
  const files = [{ handle: [{ handler: 'file_server', root: folder }] }] as const;
  const nginxFiles = `root ${folder};`;
  return [
    {
      name: 'plain response',
      routes: plain,
      path: '/',
      nginx: 'location / { default_type text/plain; return 200 "Hello, world!"; }',
    },
    { name: 'TLS 1.3 on kept connections', routes: plain, path: '/', way: overKeptTls },
    { name: 'HTTP/2 over TLS', routes: plain, path: '/', way: overHttp2, connections: 16 },
    { name: 'full handshakes of TLS 1.3', routes: plain, path: '/', way: byHandshakes('p256'), connections: 32 },
    {
      name: 'full handshakes of TLS 1.3 with an RSA key',
      routes: plain,
      path: '/',
      way: byHandshakes('rsa2048'),
      connections: 32,
    },
    { name: 'plain response with metrics', routes: plain, path: '/', http: { metrics: {} } },
    {
      name: 'plain response with metrics per host',
      routes: hosts(100),
      path: '/',
      headers: ['Host: h0.example.test'],
      http: { metrics: { per_host: true } },
    },
    {
      name: '20 routes, matchers and placeholders',
      routes: twentyRoutes,
      path: '/api/v1/users/someone?x=1',
      headers: ['Host: a.b.example.test'],
    },
    { name: 'host 1 of 100', routes: hosts(100), path: '/', headers: ['Host: h0.example.test'] },
    { name: 'host 1 of 10,000', routes: hosts(10_000), path: '/', headers: ['Host: h0.example.test'] },
    { name: 'host 10,000 of 10,000', routes: hosts(10_000), path: '/', headers: ['Host: h9999.example.test'] },
    { name: 'file of 1 KiB', routes: files, path: '/1k.txt', nginx: nginxFiles },
    { name: 'file of 100 KiB', routes: files, path: '/100k.txt', nginx: nginxFiles },
    { name: 'file of 10 MiB', routes: files, path: '/10m.txt', nginx: nginxFiles, connections: 8 },
    { name: 'file of 64 MiB', routes: files, path: '/64m.txt', nginx: nginxFiles, connections: 4 },
    {
      name: 'gzip of a page of 20 KiB',
      routes: [{ handle: [{ handler: 'encode', encodings: { gzip: {} } }, ...files[0].handle] }],
      path: '/page.html',
      headers: ['Accept-Encoding: gzip'],
    },
    {
      name: 'gzip of a page of 20 KiB, another for each request',
      routes: [
        {
          handle: [
            { handler: 'encode', encodings: { gzip: {} } },
            {
              handler: 'static_response',
              headers: { 'Content-Type': ['text/html'] },
              body: `${pageOf(20_480)}{http.request.uuid}`,
            },
          ],
        },
      ],
      path: '/',
      headers: ['Accept-Encoding: gzip'],
    },
  ];
}

/** Makes the files that scenarios serve. */
export function makeFiles(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-files-'));
  // Servers that change their user have to get in.
  chmodSync(folder, 0o755);
  for (const [name, size] of [
    ['1k', 1024],
    ['100k', 102_400],
    ['10m', 10_485_760],
    ['64m', 67_108_864],
  ] as const)
    writeFileSync(join(folder, `${name}.txt`), 'x'.repeat(size));
  writeFileSync(join(folder, 'page.html'), pageOf(20_480));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A page of mark-up and words that repeat about as often as those of real pages. */
function pageOf(size: number): string {
  const words = 'route server change upstream tenant certificate response module listener worker header value'.split(
    ' ',
  );
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  let page = '<!doctype html>\n<title>Page</title>\n';
  while (page.length < size) {
    const text = Array.from(
      { length: 12 },
      () => `${words[next() % words.length]}${next() % 3 === 0 ? next() % 1000 : ''}`,
    );
    page += `<p class="c${next() % 20}"><a href="/${text[0]}/${next() % 500}">${text.join(' ')}</a></p>\n`;
  }
  return page.slice(0, size);
}

/** The measurements of one scenario. */
export interface Result {
  readonly name: string;
  /** Server -> requests per second, one measurement per round. */
  readonly measurements: ReadonlyMap<string, readonly number[]>;
  /** Server -> microseconds of its processor per request, one measurement per round. */
  readonly costs: ReadonlyMap<string, readonly number[]>;
}

/** By wrk over plain connections. */
function plainWay(headers: readonly string[]): Way {
  return {
    missing: null,
    config: withRoutes,
    ready: () => Promise.resolve(),
    ask: ({ port, path, seconds, connections }) =>
      load(`http://127.0.0.1:${port}${path}`, { seconds, headers, connections }),
  };
}

/** Runs a scenario. */
export async function measure(scenario: Scenario, rounds: number, seconds: number): Promise<Result> {
  const { routes, http, path, connections = 64, way = plainWay(scenario.headers ?? []) } = scenario;
  const servers: Running[] = [];
  try {
    for (const { name, command } of nativeServers())
      servers.push(await startNative(name, command, way.config(routes, http)));
    const [ours] = nativeServers();
    if (http !== undefined && ours !== undefined)
      servers.push(await startNative(`${ours.name} without`, ours.command, way.config(routes)));
    const nginx = scenario.nginx === undefined ? null : await startNginx(scenario.nginx);
    if (nginx !== null) servers.push(nginx);
    const measurements = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
    const costs = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
    const ask = ({ port }: Running, time: number) => way.ask({ port, path, seconds: time, connections });
    for (const server of servers) {
      await way.ready(server.port);
      await ask(server, 2);
    }
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const before = server.processorTime();
        const { requestsPerSecond, errors } = await ask(server, seconds);
        if (errors > 0) throw new Error(`${scenario.name}: ${server.name} gave ${errors} errors`);
        measurements.get(server.name)?.push(requestsPerSecond);
        costs.get(server.name)?.push((server.processorTime() - before) / (requestsPerSecond * seconds));
      }
    }
    return { name: scenario.name, measurements, costs };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Ours divided by a rival's, round by round: least, middle, greatest. */
export function ratios(result: Result, rival: string): { min: number; median: number; max: number } | null {
  const ours = result.measurements.get('sluice') ?? [];
  const theirs = result.measurements.get(rival);
  if (theirs === undefined) return null;
  const all = ours.map((measurement, i) => measurement / (theirs[i] ?? Number.NaN));
  return { min: Math.min(...all), median: median(all), max: Math.max(...all) };
}
