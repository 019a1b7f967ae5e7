/** The test environment in which sites are served one after another: a directory, ports, and the upstreams of the Caddyfiles. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAdmin } from '../servers/call-admin.ts';
import { freePort } from '@sluice/testing/machine';
import { makeCertificates } from './certificates.ts';
import { startIn, type Running } from './running.ts';
import { globalOptions, type Site } from './site.ts';
import { listenUpstream, type Stub, type Upstream } from './stubs.ts';

/** Names of the upstreams. Caddyfiles refer to them as `{$ONE}`, `{$TWO}` and `{$THREE}`. */
const upstreamNames = ['one', 'two', 'three'];

/** Names of the server ports. Caddyfiles refer to them as `{$HTTP_PORT}` and so on. */
const listeners = ['http', 'https', 'extra', 'admin'];

/** Modification time of all files. It is fixed so that both servers report the same time. */
const changed = 1_700_000_000;

/** Timeout for background operations such as health checks, in milliseconds. */
const timeout = 20_000;

/** Part of an entry returned by `GET /certificates`. A pending certificate has no fingerprint. */
interface ManagedName {
  readonly identifier?: string;
  readonly managed: boolean;
  readonly fingerprint?: string;
}

/** The test environment of a server. Its working directory contains the files of one site at a time. */
export class Stage {
  readonly folder: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly #home: string;
  readonly #upstreams: ReadonlyMap<string, Upstream>;

  private constructor(upstreams: ReadonlyMap<string, Upstream>, ports: Readonly<Record<string, number>>) {
    this.#upstreams = upstreams;
    this.ports = ports;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-site-')));
    this.#home = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-site-home-')));
  }

  /** Creates a test environment. `scripts` is the PHP server. */
  static async open(scripts: Stub): Promise<Stage> {
    const upstreams = new Map<string, Upstream>();
    const ports: Record<string, number> = { php: scripts.port };
    for (const name of upstreamNames) {
      const upstream = await listenUpstream(name);
      upstreams.set(name, upstream);
      ports[name] = upstream.port;
    }
    for (const name of [...listeners, 'gone']) ports[name] = await freePort();
    return new Stage(upstreams, ports);
  }

  put(site: Site): void {
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true, force: true });
    cpSync(site.folder, this.folder, { recursive: true });
    cpSync(globalOptions, join(this.folder, 'global'));
    for (const name of readdirSync(this.folder, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(this.folder, name), changed, changed);
    makeCertificates(site, this.folder);
    for (const upstream of this.#upstreams.values()) upstream.forget();
  }

  /** Starts a server, which loads the current Caddyfile from the working directory. */
  start(command: readonly string[], options: readonly string[]): Promise<Running> {
    const environment: Record<string, string> = {
      HOME: this.#home,
      XDG_CONFIG_HOME: this.#home,
      XDG_DATA_HOME: this.#home,
    };
    for (const name of listeners) environment[`${name.toUpperCase()}_PORT`] = String(this.ports[name]);
    for (const name of [...this.#upstreams.keys(), 'gone', 'php'])
      environment[name.toUpperCase()] = `127.0.0.1:${this.ports[name] ?? 0}`;
    return startIn({ command, options, folder: this.folder, environment, adminPort: this.ports['admin'] ?? 0 });
  }

  /** Loads the current Caddyfile into a running server. */
  async load(): Promise<void> {
    const body = readFileSync(join(this.folder, 'Caddyfile'));
    const call = { method: 'POST', path: '/load', body, type: 'text/caddyfile' };
    const response = await callAdmin(this.ports['admin'] ?? 0, call);
    if (response.status !== 200) throw new Error(`the Caddyfile was rejected: ${response.body.toString()}`);
  }

  /** Waits until Sluice reports certificates for all names of the site. */
  async certified(): Promise<void> {
    const call = { method: 'GET', path: '/certificates', body: '' };
    for (const end = performance.now() + timeout; ; await sleep(5)) {
      const { body } = await callAdmin(this.ports['admin'] ?? 0, call);
      const pending = (JSON.parse(body.toString()) as ManagedName[]).filter(
        ({ managed, fingerprint }) => managed && fingerprint === undefined,
      );
      if (pending.length === 0) return;
      const names = pending.map(({ identifier }) => identifier).join(', ');
      if (performance.now() > end) throw new Error(`no certificates for ${names}`);
    }
  }

  /** Waits until an upstream has received `times` health checks. */
  async checked(name: string, times: number): Promise<void> {
    const upstream = this.#upstreams.get(name);
    if (upstream === undefined) throw new Error(`unknown upstream ${name}`);
    for (const end = performance.now() + timeout; upstream.checks < times; await sleep(5))
      if (performance.now() > end) throw new Error(`${name} received ${upstream.checks} of ${times} health checks`);
  }

  close(): void {
    for (const upstream of this.#upstreams.values()) upstream.close();
    for (const folder of [this.folder, this.#home]) rmSync(folder, { recursive: true, force: true });
  }
}
