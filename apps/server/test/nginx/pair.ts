/** Runs nginx and Sluice side by side with the same configuration and requests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { register } from '@sluice/caddy.adapters';
import { adaptConfig } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import { commandOf, freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';
import { ask, listening, type Seen } from './ask.ts';
import type { Case } from './cases.ts';
import { makeCertificates } from './certificates.ts';
import { startGrpcUpstream } from './grpc-upstream.ts';
import { startNginx } from './nginx-process.ts';
import { writeSite } from './site.ts';
import { portOf, startUpstream } from './upstream.ts';

/** Path of the nginx executable, or `null` if it is not installed. */
export const nginxCommand = commandOf('nginx') ?? commandOf('../sbin/nginx');
const openssl = commandOf('openssl');
const php = commandOf('php-cgi');
const registry = new Registry().use(register);

/** The configuration of a test case with actual ports. */
interface Placed {
  readonly text: string;
  readonly port: number;
  readonly play: () => Promise<Seen[]>;
}

type Names = Readonly<Record<string, string | number>>;

/** Responses to the requests of a test case. */
export interface Played {
  readonly theirs: readonly Seen[];
  readonly ours: readonly Seen[];
  /** Warnings reported by the adapter. */
  readonly warnings: readonly string[];
}

/** Both servers with their files, upstreams and certificates. */
export class Pair {
  readonly sandbox = new Sandbox();
  readonly #services: (Server | Http2Server)[] = [];
  #scripts: ChildProcess | null = null;
  #names: Names = {};
  #server: TestServer | null = null;

  /** Starts the upstreams, the scripts and Sluice. nginx is started separately for each case. */
  static async start(): Promise<Pair> {
    const pair = new Pair();
    await pair.#start();
    return pair;
  }

  async #start(): Promise<void> {
    const { sandbox } = this;
    writeSite(sandbox.folder);
    if (openssl !== null) makeCertificates(openssl, sandbox.path('conf'));
    const upstreams = await Promise.all(['one', 'two'].map(startUpstream));
    this.#services.push(...upstreams);
    const [one, two] = upstreams as [Server, Server];
    this.#names = {
      folder: sandbox.folder,
      one: portOf(one),
      two: portOf(two),
      gone: await freePort(),
      grpc: await this.#startGrpc('plain'),
      grpcs: openssl === null ? 0 : await this.#startGrpc('tls'),
      php: await this.#startPhp(),
    };
    const admin = await freePort();
    const nothing = await sandbox.write('none.json', { admin: { listen: `127.0.0.1:${admin}` } });
    this.#server = await TestServer.start(sandbox, ['--config', nothing], admin, 0);
  }

  async stop(): Promise<void> {
    for (const service of this.#services) {
      service.close();
      if ('closeAllConnections' in service) service.closeAllConnections();
    }
    if (this.#scripts?.kill() === true) await once(this.#scripts, 'close');
    await this.sandbox.remove();
  }

  /** Reports whether a program that the test case needs is not installed. */
  lacks({ text }: Case): boolean {
    return (text.includes('@php@') && php === null) || (text.includes('ssl_') && openssl === null);
  }

  /** Runs a test case on both servers. */
  async play(each: Case): Promise<Played> {
    const theirs = await this.#playToNginx(each);
    const { seen, warnings } = await this.#playHere(each);
    return { theirs, ours: seen, warnings };
  }

  async #startGrpc(kind: 'plain' | 'tls'): Promise<number> {
    const read = (name: string): Buffer => readFileSync(this.sandbox.path(`conf/${name}`));
    const service = await startGrpcUpstream(
      kind === 'plain' ? null : { cert: read('cert.pem'), key: read('cert.key') },
    );
    this.#services.push(service);
    return portOf(service);
  }

  async #startPhp(): Promise<number> {
    const port = await freePort();
    if (php === null) return port;
    this.#scripts = spawn(php, ['-b', `127.0.0.1:${port}`], { stdio: 'ignore' });
    await listening(port);
    return port;
  }

  async #place({ text, requests }: Case): Promise<Placed> {
    const ports = { main: await freePort(), second: await freePort(), tls: await freePort() };
    const names: Names = { ...this.#names, ...ports };
    const filled = text.replaceAll(/@(\w+)@/g, (written, name: string) => String(names[name] ?? written));
    const play = async (): Promise<Seen[]> => {
      const seen: Seen[] = [];
      for (const request of requests) {
        const port = ports[request.port as keyof typeof ports];
        const text = JSON.stringify(await ask({ port, folder: this.sandbox.path('conf') }, request));
        // Replaces the ports, which differ between the servers.
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

  async #playToNginx(each: Case): Promise<Seen[]> {
    const placed = await this.#place(each);
    const prefix = this.sandbox.path(`nginx-${each.name}`);
    const running = await startNginx(nginxCommand ?? '', prefix, placed, this.sandbox.path('conf'));
    try {
      return await placed.play();
    } finally {
      await running.stop();
    }
  }

  async #playHere(each: Case): Promise<{ seen: Seen[]; warnings: string[] }> {
    const server = this.#server as TestServer;
    const placed = await this.#place(each);
    const file = await this.sandbox.write(`conf/${each.name}.conf`, `http {\n${placed.text}\n}\n`);
    const adapted = await adaptConfig(registry, 'nginx', await readFile(file, 'utf8'), {
      options: { file },
    });
    const admin = { listen: `127.0.0.1:${server.adminPort}` };
    const body = { admin, ...(adapted.config as object) };
    const { status, text } = await server.admin('/load', { method: 'POST', body });
    if (status !== 200) throw new Error(`${each.name}: the adapted configuration is refused: ${text}`);
    return { seen: await placed.play(), warnings: adapted.warnings.map((warning) => warning.message) };
  }
}
