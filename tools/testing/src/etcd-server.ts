/** Runs a real etcd server on a loopback address, with data in a temporary directory. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './machine.ts';

/** True if etcd is installed. */
export const hasEtcd: boolean = spawnSync('etcd', ['--version']).status === 0;

/** True if the installed etcd supports skipping fsync. */
const knowsUnsafe = hasEtcd && spawnSync('etcd', ['--help'], { encoding: 'utf8' }).stdout.includes('unsafe-no-fsync');

/** Certificate files of an etcd node. */
export interface NodeCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ClusterOptions {
  /** Creates a relay through which other nodes connect to a node. Receives the node's port and returns the relay's port. */
  readonly relayed?: (port: number) => Promise<number>;
  /** True to sync writes to disk. */
  readonly fsync?: boolean;
}

/** Options shared by all nodes of a cluster. */
interface Choices {
  readonly certificate: NodeCertificate | null;
  readonly fsync: boolean;
}

/** Ports of a node within its cluster. */
interface Peer {
  readonly name: string;
  readonly port: number;
  /** Port advertised to other nodes: the relay's port, or the node's own port. */
  readonly told: number;
}

/** A running node. */
export class EtcdServer {
  readonly port: number;
  readonly #folder: string;
  readonly #peer: Peer;
  readonly #cluster: readonly Peer[];
  readonly #choices: Choices;
  #process: ChildProcess | null = null;

  private constructor(
    [folder, port]: readonly [string, number],
    [peer, cluster]: readonly [Peer, readonly Peer[]],
    choices: Choices,
  ) {
    this.#folder = folder;
    this.port = port;
    this.#peer = peer;
    this.#cluster = cluster;
    this.#choices = choices;
  }

  static async start(certificate: NodeCertificate | null = null): Promise<EtcdServer> {
    const port = await freePort();
    const peer = { name: 'default', port, told: port };
    const server = await EtcdServer.#make(peer, [peer], { certificate, fsync: false });
    await server.run();
    return server;
  }

  static async startCluster(
    size: number,
    { relayed = (port) => Promise.resolve(port), fsync = false }: ClusterOptions = {},
  ): Promise<readonly EtcdServer[]> {
    const peers: Peer[] = [];
    for (let i = 0; i < size; i++) {
      const port = await freePort();
      peers.push({ name: `node-${i}`, port, told: await relayed(port) });
    }
    const servers: EtcdServer[] = [];
    for (const peer of peers) servers.push(await EtcdServer.#make(peer, peers, { certificate: null, fsync }));
    await Promise.all(servers.map((server) => server.run()));
    return servers;
  }

  static async #make(peer: Peer, cluster: readonly Peer[], choices: Choices): Promise<EtcdServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-'));
    return new EtcdServer([folder, await freePort()], [peer, cluster], choices);
  }

  /** Starts the node. If it ran before, it restarts with its existing data. */
  async run(): Promise<void> {
    const { certificate, fsync } = this.#choices;
    const scheme = certificate === null ? 'http' : 'https';
    const secure = certificate === null ? [] : ['--cert-file', certificate.cert, '--key-file', certificate.key];
    const client = `${scheme}://127.0.0.1:${this.port}`;
    const { name, port, told: reported } = this.#peer;
    const places = ['--data-dir', this.#folder, '--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', address(port), '--initial-advertise-peer-urls', address(reported)];
    const all = this.#cluster.map((each) => `${each.name}=${address(each.told)}`).join(',');
    const cluster = ['--name', name, '--initial-cluster', all];
    const fast = knowsUnsafe && !fsync ? ['--unsafe-no-fsync'] : [];
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

/** Reports whether the port accepts connections. */
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
