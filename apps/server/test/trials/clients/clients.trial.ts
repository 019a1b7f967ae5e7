/**
 * Tests HTTP clients in five languages during reloads and upgrades of the server, with in-flight requests, event streams and WebSockets.
 * `CLIENTS_RELOADS` and `CLIENTS_UPGRADES` are the number of reloads and upgrades. Default: 10 and 2.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, signedCertificate } from '@sluice/testing';
import { Sandbox, until } from '../../support/sandbox.ts';
import { says, TestServer, withApps, config } from '../../support/server.ts';
import { startEchoUpstream } from '../../clients/echo-upstream.ts';
import { build, play, programs } from '../../clients/programs.ts';

const reloads = Number(process.env['CLIENTS_RELOADS'] ?? 10);
const upgrades = Number(process.env['CLIENTS_UPGRADES'] ?? 2);
const only = process.env['CLIENTS_ONLY'] ?? '';
const lines = 30;
const drip = fileURLToPath(new URL('../../fixtures/drip', import.meta.url));

const at = (path: string, handler: object): object => ({ match: [{ path: [path] }], handle: [handler] });

describe('HTTP clients during reloads and upgrades', function () {
  this.timeout(3_600_000);
  let sandbox: Sandbox;
  const successors: number[] = [];
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    for (const pid of successors.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await sandbox.remove();
  });

  for (const program of programs) {
    if (!program.name.includes(only)) continue;
    it(`the HTTP client ${program.name} sees no errors during ${reloads} reloads and ${upgrades} upgrades`, async function () {
      const command = build(program);
      if (command === null) return this.skip();
      const { cert, key, authority } = await signedCertificate(['127.0.0.1', 'localhost']);
      const ca = await sandbox.write('authority.pem', authority);
      const certificate = await sandbox.write('cert.pem', cert);
      const upstream = await startEchoUpstream();
      const secure = await freePort();
      const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${upstream.port}` }] };
      // Every fifth reload changes the WebSocket route, which closes the WebSockets.
      const routesOf = (changed: number): object[] => [
        at('/drip', { handler: 'drip', count: lines, pause_ms: 50 }),
        at('/proxied', proxy),
        at('/echo', proxy),
        at('/ws', {
          ...proxy,
          headers: { request: { set: { 'X-Generation': [String(Math.floor(changed / 5))] } } },
        }),
        says('ok'),
      ];
      const keyFile = await sandbox.write('key.pem', key);
      const documentOf = (admin: number, http: number, changed: number): object => {
        const s = { listen: [`127.0.0.1:${http}`], protocols: ['h1', 'h2', 'h2c'] };
        const document = config(
          admin,
          http,
          [{ ...at('/changed', { handler: 'static_response', body: `${changed}` }) }, ...routesOf(changed)],
          s,
        );
        (document['apps'] as { http: { servers: Record<string, object> } }).http.servers['secure'] = {
          ...s,
          listen: [`127.0.0.1:${secure}`],
          tls_connection_policies: [{}],
          automatic_https: { disable: true },
          routes: routesOf(changed),
        };
        return withApps(document, { tls: { certificates: { load_files: [{ certificate, key: keyFile }] } } });
      };
      const server = await TestServer.runWith(sandbox, (admin, http) => documentOf(admin, http, 0), [
        '--workers',
        '2',
        '--module',
        drip,
      ]);
      const stop = sandbox.path('stop');
      const playing = play(command, {
        PLAIN: `http://127.0.0.1:${server.httpPort}`,
        SECURE: `https://127.0.0.1:${secure}`,
        CA: ca,
        STOP: stop,
        LINES: String(lines),
      });
      try {
        await sleep(3000);
        for (let i = 1; i <= reloads; i++) {
          const { status, text } = await server.admin('/load', {
            method: 'POST',
            body: documentOf(server.adminPort, server.httpPort, i),
          });
          expect(status, text).to.equal(200);
          await sleep(100);
          if (i % Math.ceil(reloads / Math.max(upgrades, 1)) === 0) await upgrade(server);
        }
      } finally {
        await sandbox.write('stop', '');
      }
      const report = await playing;
      upstream.close();
      expect(countsOf(report.errors)).to.deep.equal({});
      expect(report.requests).to.be.greaterThan(reloads);
      expect(report.streams).to.be.greaterThan(0);
      process.stdout.write(`      ${JSON.stringify(report)}\n`);
    });
  }

  async function upgrade(server: TestServer): Promise<void> {
    const { status, text } = await server.admin('/upgrade', { method: 'POST' });
    expect(status, text).to.equal(200);
    successors.push((JSON.parse(text) as { pid: number }).pid);
    await until(
      async () =>
        (await server.admin('/config/').then(
          ({ status: read }) => read,
          () => 0,
        )) === 200,
      'the admin API of the new process',
    );
    await sleep(500);
  }
});

/** Counts errors by message. Port numbers are ignored. */
function countsOf(errors: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const error of errors) {
    const kind = error.replaceAll(/:\d+/g, '').slice(0, 300);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !readFileSync(stat, 'utf8').includes(') Z ');
}
