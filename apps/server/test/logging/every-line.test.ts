import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { until } from '../support/sandbox.ts';

/** How many requests; `SLUICE_LOG_REQUESTS=200000` is what is promised. */
const requests = Number(process.env.SLUICE_LOG_REQUESTS ?? 6000);
const clients = 32;
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const goaccess = spawnSync('goaccess', ['--version']).status === 0;

describe('access logs over four workers', () => {
  let folder = '';
  let server: ChildProcess | null = null;
  let [admin, port] = [0, 0];

  const config = (level: string): unknown => ({
    admin: { listen: `127.0.0.1:${admin}` },
    logging: {
      logs: {
        default: { level, exclude: ['http.log.access'], writer: { output: 'discard' } },
        access: {
          writer: { output: 'file', filename: join(folder, 'logs', 'access.log'), roll_size_mb: 1, roll_keep: 1000 },
          include: ['http.log.access'],
          level,
        },
      },
    },
    apps: {
      http: {
        servers: {
          s: {
            listen: [`127.0.0.1:${port}`],
            automatic_https: { disable: true },
            routes: [{ handle: [{ handler: 'static_response', body: 'x' }] }],
            logs: {},
          },
        },
      },
    },
  });

  const ask = (to: number, path: string, agent: Agent | false, body?: unknown): Promise<number> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = request({ host: '127.0.0.1', port: to, path, method, headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });

  /** The lines of the log, of its rolled files, and of what was moved away. */
  const lines = (): string[] =>
    readdirSync(join(folder, 'logs')).flatMap((name) => {
      const bytes = readFileSync(join(folder, 'logs', name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean);
    });

  const stop = async (): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  };

  beforeEach(async function () {
    this.timeout(30_000);
    folder = mkdtempSync(join(tmpdir(), 'sluice-lines-'));
    [admin, port] = [await freePort(), await freePort()];
    const args = ['--conditions=@sluice/source', main, 'run', '--config', '-', '--workers', '4'];
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'], env });
    child.stdin.end(JSON.stringify(config('INFO')));
    server = child;
    await until(() => ask(port, '/ready', false).then(Boolean, () => false), 'the server answers');
  });

  afterEach(async function () {
    this.timeout(30_000);
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Asks for `/0` to `/<count - 1>`, and calls back at so many shares of them. */
  const askAll = async (count: number, milestones: readonly (() => Promise<void>)[]): Promise<void> => {
    let next = 0;
    const between = milestones.map((run, i) => ({ at: Math.floor((count * (i + 1)) / (milestones.length + 1)), run }));
    const running: Promise<void>[] = [];
    const client = async (): Promise<void> => {
      // Connections of different ports, so that every worker gets some.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (next < count) {
        const number = next++;
        for (const { at, run } of between) if (at === number) running.push(run());
        expect(await ask(port, `/${number}`, agent)).to.equal(200);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: clients }, client));
    await Promise.all(running);
  };

  it(`have one line for each of ${requests} requests, through rolling, changes and a file that is moved away`, async function () {
    this.timeout(60_000 + requests * 5);
    const change = (level: string) => async () => {
      expect(await ask(admin, '/load', false, config(level))).to.equal(200);
    };
    await askAll(requests, [
      change('DEBUG'),
      async () => renameSync(join(folder, 'logs', 'access.log'), join(folder, 'logs', 'moved')),
      change('INFO'),
      change('DEBUG'),
    ]);
    await sleep(50);
    await stop();
    const paths = lines().map((line) => (JSON.parse(line) as { request: { uri: string } }).request.uri);
    const numbers = paths.filter((path) => path !== '/ready').map((path) => Number(path.slice(1)));
    expect(numbers.length).to.equal(requests);
    expect(new Set(numbers).size).to.equal(requests);
    expect(readdirSync(join(folder, 'logs')).length).to.be.greaterThan(2);
  });

  it('are read by goaccess', async function () {
    if (!goaccess) return this.skip();
    this.timeout(60_000);
    await askAll(300, []);
    await stop();
    const report = join(folder, 'report.json');
    const file = join(folder, 'logs', 'access.log');
    const read = spawnSync('goaccess', [file, '--log-format=CADDY', '-o', report, '--no-global-config'], {
      encoding: 'utf8',
      env: { ...process.env, TERM: 'dumb', HOME: folder },
    });
    expect(read.status, read.stderr).to.equal(0);
    const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: Record<string, number> };
    expect(general['failed_requests']).to.equal(0);
    expect(general['valid_requests']).to.equal(lines().length);
  });
});
