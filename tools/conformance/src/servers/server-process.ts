/** A server under comparison, which takes one configuration after the other. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing/machine';
import { callAdmin, callPersistently } from './call-admin.ts';

/** How a {@link ServerProcess} is started, beside its command. */
export interface StartSettings {
  /** Further options of its `run`. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs, which relative names of files begin at; ours, unless said otherwise. */
  readonly workingFolder?: string;
}

/** A server that runs, with a folder, an admin endpoint and a port of its own. */
export class ServerProcess {
  /** Where configurations may listen. */
  readonly port: number;
  /** Its home, gone when it is stopped. */
  readonly folder: string;
  /** Port of its admin endpoint. */
  readonly admin: number;
  readonly #child: ChildProcess;

  private constructor(port: number, admin: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.admin = admin;
    this.#child = child;
  }

  /** Starts a command, and waits for its admin endpoint. */
  static async start(
    [program = '', ...args]: readonly string[],
    { options = [], environment = {}, workingFolder }: StartSettings = {},
  ): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-conformance-'));
    const [port, admin] = [await freePort(), await freePort()];
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(withAdmin(admin, {})));
    const child = spawn(program, [...args, 'run', '--config', file, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: workingFolder,
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, ...environment },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
    const server = new ServerProcess(port, admin, folder, child);
    for (const end = performance.now() + 30_000; ; await sleep(20)) {
      const response = await callAdmin(admin, { method: 'GET', path: '/config/', body: '' }).catch(() => null);
      if (response?.status === 200) return server;
      if (child.exitCode === null && performance.now() < end) continue;
      await server.stop();
      throw new Error(`${program} did not start: ${said}`);
    }
  }

  /** Takes a configuration in place of the one before; its admin endpoint stays. Throws if it is refused. */
  async load(config: object): Promise<void> {
    const refusal = await this.offer(config);
    if (refusal !== null) throw new Error(`the configuration was refused: ${refusal}`);
  }

  /** As {@link load}, but gives the response with which a configuration is refused; `null` if it was taken. */
  async offer(config: object): Promise<string | null> {
    const text = JSON.stringify(withAdmin(this.admin, config));
    const { status, body } = await callPersistently(this.admin, { method: 'POST', path: '/load', body: text });
    return status === 200 ? null : body.toString();
  }

  /** Whether it has ended by itself. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends it, and removes its folder. */
  async stop(): Promise<void> {
    if (!this.ended) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function withAdmin(port: number, config: object): object {
  return { admin: { listen: `127.0.0.1:${port}` }, ...config };
}
