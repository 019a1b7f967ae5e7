/** A real etcd on loopback, in a temporary folder. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastingPort } from './machine.ts';

/** Whether this machine has one. */
export const hasEtcd: boolean = spawnSync('etcd', ['--version']).status === 0;

/** Whether it can leave out what guards against a crash of the machine. */
const knowsUnsafe = hasEtcd && spawnSync('etcd', ['--help'], { encoding: 'utf8' }).stdout.includes('unsafe-no-fsync');

/** Files of the certificate that a node shows. */
export interface NodeCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Where the nodes of a cluster reach one of them. */
interface Peer {
  readonly name: string;
  /** Where it listens. */
  readonly port: number;
  /** What it tells others: the port of a relay, or its own. */
  readonly told: number;
}

/** One node that runs. */
export class EtcdServer {
  readonly port: number;
  readonly #folder: string;
  readonly #peer: Peer;
  readonly #cluster: readonly Peer[];
  readonly #certificate: NodeCertificate | null;
  #process: ChildProcess | null = null;

  private constructor(
    [folder, port]: readonly [string, number],
    [peer, cluster]: readonly [Peer, readonly Peer[]],
    certificate: NodeCertificate | null,
  ) {
    this.#folder = folder;
    this.port = port;
    this.#peer = peer;
    this.#cluster = cluster;
    this.#certificate = certificate;
  }

  static async start(certificate: NodeCertificate | null = null): Promise<EtcdServer> {
    const port = await lastingPort();
    const peer = { name: 'default', port, told: port };
    const server = await EtcdServer.#make(peer, [peer], certificate);
    await server.run();
    return server;
  }

  /** Nodes of one cluster. `relay` makes what each is reached through by the others: it is given the port of the node, and gives another. */
  static async startCluster(
    size: number,
    relay: (port: number) => Promise<number> = (port) => Promise.resolve(port),
  ): Promise<readonly EtcdServer[]> {
    const peers: Peer[] = [];
    for (let i = 0; i < size; i++) {
      const port = await lastingPort();
      peers.push({ name: `node-${i}`, port, told: await relay(port) });
    }
    const servers: EtcdServer[] = [];
    for (const peer of peers) servers.push(await EtcdServer.#make(peer, peers, null));
    await Promise.all(servers.map((server) => server.run()));
    return servers;
  }

  static async #make(peer: Peer, cluster: readonly Peer[], certificate: NodeCertificate | null): Promise<EtcdServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-'));
    return new EtcdServer([folder, await lastingPort()], [peer, cluster], certificate);
  }

  /** Starts it, also again with what it has. */
  async run(): Promise<void> {
    const certificate = this.#certificate;
    const scheme = certificate === null ? 'http' : 'https';
    const secure = certificate === null ? [] : ['--cert-file', certificate.cert, '--key-file', certificate.key];
    const client = `${scheme}://127.0.0.1:${this.port}`;
    const { name, port, told } = this.#peer;
    const places = ['--data-dir', this.#folder, '--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', address(port), '--initial-advertise-peer-urls', address(told)];
    const all = this.#cluster.map((each) => `${each.name}=${address(each.told)}`).join(',');
    const cluster = ['--name', name, '--initial-cluster', all];
    const fast = knowsUnsafe ? ['--unsafe-no-fsync'] : [];
    this.#process = spawn('etcd', [...places, ...peers, ...cluster, ...fast, ...secure], { stdio: 'ignore' });
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

function address(port: number): string {
  return `http://127.0.0.1:${port}`;
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
