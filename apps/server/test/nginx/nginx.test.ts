/** Plays configurations of nginx to nginx and to this server, and compares what both say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/engine';
import { Registry } from '@sluice/registry';
import { commandOf, freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';
import { ask, listening, type Seen } from './ask.ts';
import { makeCertificates } from './certificates.ts';
import { readCases, type Case } from './cases.ts';
import { startGrpcUpstream } from './grpc-upstream.ts';
import { startNginx } from './nginx-process.ts';
import { writeSite } from './site.ts';
import { portOf, startUpstream } from './upstream.ts';

const nginx = commandOf('nginx') ?? commandOf('../sbin/nginx');
const openssl = commandOf('openssl');
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
  const services: Http2Server[] = [];
  let scripts: ChildProcess | null = null;
  let common: Names = {};

  before(async function () {
    if (nginx === null) return this.skip();
    sandbox = new Sandbox();
    writeSite(sandbox.folder);
    if (openssl !== null) makeCertificates(openssl, sandbox.path('conf'));
    upstreams = await Promise.all(['one', 'two'].map(startUpstream));
    const [one, two] = upstreams as [Server, Server];
    common = {
      folder: sandbox.folder,
      one: portOf(one),
      two: portOf(two),
      gone: await freePort(),
      grpc: await startGrpc('plain'),
      grpcs: openssl === null ? 0 : await startGrpc('tls'),
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
    for (const service of services) service.close();
    if (scripts?.kill() === true) await once(scripts, 'close');
    await sandbox?.remove();
  });

  async function startGrpc(kind: 'plain' | 'tls'): Promise<number> {
    const read = (name: string): Buffer => readFileSync(sandbox.path(`conf/${name}`));
    const service = await startGrpcUpstream(
      kind === 'plain' ? null : { cert: read('cert.pem'), key: read('cert.key') },
    );
    services.push(service);
    return portOf(service);
  }

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
        const text = JSON.stringify(await ask({ port, folder: sandbox.path('conf') }, request));
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
      const missing = (each.text.includes('@php@') && php === null) || (each.text.includes('ssl_') && openssl === null);
      if (missing) return this.skip();
      const [theirs, ours] = [await serveByNginx(each), await serveHere(each)];
      for (const [i, { source }] of each.requests.entries())
        expect(ours[i], `${each.name}.conf: ${source}`).to.deep.equal(theirs[i]);
    });
  }
});
