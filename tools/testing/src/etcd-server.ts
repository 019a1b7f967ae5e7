/** A real etcd on loopback, in a temporary folder. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this machine has one. */
export const hasEtcd: boolean = spawnSync('etcd', ['--version']).status === 0;

/** Files of the certificate that a node shows. */
export interface NodeCertificate {
  readonly cert: string;
  readonly key: string;
}

/** One node that runs. */
export class EtcdServer {
  readonly port: number;
  readonly #folder: string;
  readonly #peer: number;
  readonly #certificate: NodeCertificate | null;
  #process: ChildProcess | null = null;

  private constructor(folder: string, [port, peer]: readonly [number, number], certificate: NodeCertificate | null) {
    this.#folder = folder;
    this.port = port;
    this.#peer = peer;
    this.#certificate = certificate;
  }

  static async start(certificate: NodeCertificate | null = null): Promise<EtcdServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-'));
    const server = new EtcdServer(folder, await freePorts(), certificate);
    await server.run();
    return server;
  }

  /** Starts it, also again with what it has. */
  async run(): Promise<void> {
    const certificate = this.#certificate;
    const scheme = certificate === null ? 'http' : 'https';
    const secure = certificate === null ? [] : ['--cert-file', certificate.cert, '--key-file', certificate.key];
    const [client, peer] = [`${scheme}://127.0.0.1:${this.port}`, `http://127.0.0.1:${this.#peer}`];
    const places = ['--data-dir', this.#folder, '--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
    const cluster = ['--initial-cluster', `default=${peer}`, '--unsafe-no-fsync'];
    const known = spawnSync('etcd', ['--help'], { encoding: 'utf8' }).stdout.includes('unsafe-no-fsync');
    const options = known ? cluster : cluster.slice(0, 2);
    this.#process = spawn('etcd', [...places, ...peers, ...options, ...secure], { stdio: 'ignore' });
    for (let i = 0; ; i++) {
      if (await responds(this.port)) return;
      if (i > 200 || this.#process.exitCode !== null) throw new Error('etcd did not start');
      await sleep(50);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** Ends it at once, and keeps what it has. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await once(server.close(), 'close');
  return [ports[0] as number, ports[1] as number];
}

/** Whether someone listens there. */
async function responds(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
