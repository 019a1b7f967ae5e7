/** A replica of the server in a separate network namespace, so that all replicas can listen on the same ports. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ours } from '../servers/commands.ts';
import { ApiProxy } from './api-proxy.ts';
import type { Cluster } from './cluster.ts';

const gatewayAddress = '10.77.0.1';
/** Port for Ingresses, which some Gateways also use. */
export const ingressPort = 8000;

/** A configuration fragment of a provider, as returned by `GET /providers/NAME`. */
interface ProvidedObject {
  readonly key: string;
  readonly object: string;
  readonly error: string | null;
  readonly config: unknown;
}

export interface ReplicaOptions {
  readonly name: string;
  /** Number of the replica. It makes addresses and ports unique. */
  readonly number: number;
  readonly token: string;
  /** Name of the Lease in the namespace `default`. If it is `none`, the replica always writes the status. */
  readonly lease: 'sluice' | 'none';
}

export class Replica {
  readonly name: string;
  readonly proxy: ApiProxy;
  readonly #options: ReplicaOptions;
  readonly #address: string;
  readonly #directory: string;
  #child: ChildProcess | null = null;
  /** Number of times the providers have been replaced. The number is part of the provider names in the configuration. */
  #generation = 0;

  constructor(cluster: Cluster, directory: string, options: ReplicaOptions) {
    this.name = options.name;
    this.#options = options;
    this.#address = `10.77.2.${options.number}`;
    this.#directory = `${directory}/${options.name}`;
    this.proxy = new ApiProxy(cluster);
    rmSync(this.#directory, { recursive: true, force: true });
    mkdirSync(this.#directory, { recursive: true });
    const kubeconfig = {
      clusters: [{ name: 'c', cluster: { server: `http://${gatewayAddress}:${this.#proxyPort}` } }],
      users: [{ name: 'u', user: { token: options.token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(`${this.#directory}/kubeconfig`, JSON.stringify(kubeconfig));
  }

  get #proxyPort(): number {
    return 28_100 + this.#options.number;
  }

  listen(): Promise<void> {
    return this.proxy.listen(gatewayAddress, this.#proxyPort);
  }

  async start(): Promise<void> {
    const { number } = this.#options;
    const file = `${this.#directory}/config.json`;
    writeFileSync(file, JSON.stringify(this.#config()));
    const log = openSync(`${this.#directory}/server.log`, 'a');
    const home = this.#directory;
    // The process waits until the network interface has an address.
    const script = `hostname ${this.name}; until ip addr show eth0 2>/dev/null | grep -q inet; do sleep 0.02; done; exec "$@"`;
    const child = spawn('unshare', ['--net', '--uts', 'sh', '-c', script, 'sh', ...ours, 'run', '--config', file], {
      stdio: ['ignore', log, log],
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, KUBECONFIG: '' },
    });
    this.#child = child;
    const link = `replica${number}`;
    const ip = (...args: readonly string[]): unknown => execFileSync('ip', args, { stdio: 'pipe' });
    const inside = (...args: readonly string[]): unknown =>
      execFileSync('nsenter', ['--target', String(child.pid), '--net', 'ip', ...args], { stdio: 'pipe' });
    const own = readlinkSync('/proc/self/ns/net');
    while (readlinkSync(`/proc/${child.pid}/ns/net`) === own) await sleep(5);
    for (let left = 250; ; left--) {
      try {
        ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(child.pid));
        break;
      } catch (error) {
        // The interface of a killed process disappears only after a short delay.
        if (left === 0) throw error;
        await sleep(20);
      }
    }
    ip('link', 'set', link, 'master', 'br0', 'up');
    inside('link', 'set', 'lo', 'up');
    inside('link', 'set', 'eth0', 'up');
    inside('addr', 'add', `${this.#address}/16`, 'dev', 'eth0');
    for (const end = performance.now() + 60_000; ; await sleep(50)) {
      if ((await this.#call('GET', '/config/').catch(() => null)) !== null) return;
      if (performance.now() > end || child.exitCode !== null)
        throw new Error(`${this.name} did not start; see ${this.#directory}/server.log`);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  /** Removes the providers from the running server. */
  async stopProviders(): Promise<void> {
    await this.#load({ ...this.#config(), apps: {} });
  }

  /** Removes the providers and their state from the running server, and adds new providers. */
  async startAfresh(): Promise<void> {
    this.#generation++;
    await this.#load(this.#config());
  }

  async #load(config: object): Promise<void> {
    const { status, text } = await this.#call('POST', '/load', JSON.stringify(config));
    if (status !== 200) throw new Error(`${this.name} rejected its configuration: ${text}`);
  }

  /** Returns the provided configuration by fragment key, or `null` if it is not complete yet. */
  async provided(): Promise<ReadonlyMap<string, string> | null> {
    const found = new Map<string, string>();
    for (const name of this.#names()) {
      const { text } = await this.#call('GET', `/providers/${name}`);
      const { state, objects } = JSON.parse(text) as {
        readonly state: string;
        readonly objects: readonly ProvidedObject[];
      };
      if (state !== 'synced') return null;
      for (const { key, ...rest } of objects)
        found.set(
          `${name.replace(/\d+$/, '')} ${key}`,
          JSON.stringify(rest).replaceAll(/\b(kubernetes|ingress)\d+(?=[/_])/g, '$1'),
        );
    }
    const ready = await this.#call('GET', '/ready');
    return ready.status === 200 ? found : null;
  }

  #names(): readonly string[] {
    return ['kubernetes', 'ingress'].map((name) => `${name}${this.#generation}`);
  }

  #config(): object {
    const { lease } = this.#options;
    const [gateways = '', ingresses = ''] = this.#names();
    const common = { kubeconfig: `${this.#directory}/kubeconfig`, status_addresses: ['192.0.2.1'] };
    const sources = {
      [gateways]: { provider: 'kubernetes', ...common, lease: lease === 'none' ? lease : `default/${lease}-gateway` },
      [ingresses]: {
        provider: 'ingress',
        ...common,
        lease: lease === 'none' ? lease : `default/${lease}-ingress`,
        allow_snippets: true,
        http: `:${ingressPort}`,
        https: ':8543',
      },
    };
    return { admin: { listen: `${this.#address}:2019`, enforce_origin: false }, apps: { providers: { sources } } };
  }

  #call(method: string, path: string, body = ''): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const options = {
        host: this.#address,
        port: 2019,
        method,
        path,
        agent: false,
        timeout: 20_000,
        headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      };
      const sent = request(options, (response) => {
        buffer(response).then((text) => {
          resolve({ status: response.statusCode ?? 0, text: text.toString() });
        }, reject);
      });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
