/** Plays configurations of nginx to nginx and to this server, and compares what both say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/engine';
import { Registry } from '@sluice/registry';
import { commandOf, freePort, throwAwayCertificate } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';
import { ask, listening, type Seen } from './ask.ts';
import { readCases, type Case } from './cases.ts';
import { startNginx } from './nginx-process.ts';
import { writeSite } from './site.ts';
import { portOf, startUpstream } from './upstream.ts';

const nginx = commandOf('nginx') ?? commandOf('../sbin/nginx');
const php = commandOf('php-cgi');
const cases = readCases(fileURLToPath(new URL('../fixtures/nginx', import.meta.url)));
const registry = new Registry().use(register);

/** A configuration of a case with its ports. */
interface Placed {
  readonly text: string;
  readonly port: number;
  readonly play: () => Promise<Seen[]>;
}

type Names = Readonly<Record<string, string | number>>;

describe('configurations of nginx, served by nginx and here', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  let upstreams: Server[] = [];
  let scripts: ChildProcess | null = null;
  let common: Names = {};

  before(async function () {
    if (nginx === null) return this.skip();
    sandbox = new Sandbox();
    writeSite(sandbox.folder);
    const { cert, key } = await throwAwayCertificate(['a.test', 'b.test']);
    await sandbox.write('conf/cert.pem', cert);
    await sandbox.write('conf/key.pem', key);
    upstreams = await Promise.all(['one', 'two'].map(startUpstream));
    const [one, two] = upstreams as [Server, Server];
    common = {
      folder: sandbox.folder,
      one: portOf(one),
      two: portOf(two),
      gone: await freePort(),
      php: await startPhp(),
    };
    const admin = await freePort();
    const nothing = await sandbox.write('none.json', { admin: { listen: `127.0.0.1:${admin}` } });
    server = await TestServer.start(sandbox, ['--config', nothing], admin, 0);
  });

  after(async () => {
    for (const upstream of upstreams) {
      upstream.close();
      upstream.closeAllConnections();
    }
    if (scripts?.kill() === true) await once(scripts, 'close');
    await sandbox?.remove();
  });

  async function startPhp(): Promise<number> {
    const port = await freePort();
    if (php === null) return port;
    scripts = spawn(php, ['-b', `127.0.0.1:${port}`], { stdio: 'ignore' });
    await listening(port);
    return port;
  }

  /** The configuration of a case with ports of its own, and the requests to them. */
  async function place({ text, requests }: Case): Promise<Placed> {
    const ports = { main: await freePort(), second: await freePort(), tls: await freePort() };
    const names: Names = { ...common, ...ports };
    const filled = text.replaceAll(/@(\w+)@/g, (_, name: string) => String(names[name] ?? `unknown name ${name}`));
    const play = async (): Promise<Seen[]> => {
      const seen: Seen[] = [];
      for (const request of requests) {
        const port = ports[request.port as keyof typeof ports];
        const text = JSON.stringify(await ask(port, request));
        // Ports differ between the servers.
        seen.push(
          JSON.parse(
            Object.entries(ports).reduce((all, [name, number]) => all.replaceAll(`:${number}`, `:<${name}>`), text),
          ) as Seen,
        );
      }
      return seen;
    };
    return { text: filled, port: ports.main, play };
  }

  async function serveByNginx(each: Case): Promise<Seen[]> {
    const placed = await place(each);
    const running = await startNginx(nginx ?? '', sandbox.path(`nginx-${each.name}`), placed, sandbox.path('conf'));
    try {
      return await placed.play();
    } finally {
      await running.stop();
    }
  }

  async function serveHere(each: Case): Promise<Seen[]> {
    const placed = await place(each);
    const file = await sandbox.write(`conf/${each.name}.conf`, `http {\n${placed.text}\n}\n`);
    const { config } = await adaptConfig(registry, 'nginx', await readFile(file, 'utf8'), { options: { file } });
    const admin = { listen: `127.0.0.1:${server.adminPort}` };
    const { status, text } = await server.admin('/load', { method: 'POST', body: { admin, ...(config as object) } });
    expect(status, text).to.equal(200);
    return placed.play();
  }

  for (const each of cases) {
    it(`serves ${each.name} alike`, async function () {
      if (each.text.includes('@php@') && php === null) return this.skip();
      const [theirs, ours] = [await serveByNginx(each), await serveHere(each)];
      for (const [i, { source }] of each.requests.entries())
        expect(ours[i], `${each.name}.conf: ${source}`).to.deep.equal(theirs[i]);
    });
  }
});
