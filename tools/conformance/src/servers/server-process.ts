/** Server under comparison, to which one configuration after another is loaded. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing/machine';
import { callAdmin, callPersistently } from './call-admin.ts';

export interface StartSettings {
  /** More options of its `run` command. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Working directory of the server. Defaults to that of this process. */
  readonly workingFolder?: string;
}

/** A running server with its own directory, admin endpoint and port. */
export class ServerProcess {
  readonly port: number;
  /** Home directory, which is removed when the server stops. */
  readonly folder: string;
  /** Port of the admin endpoint. */
  readonly admin: number;
  readonly #child: ChildProcess;

  private constructor(port: number, admin: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.admin = admin;
    this.#child = child;
  }

  /** Starts a command and waits for its admin endpoint. */
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

  /** Replaces the configuration but keeps the admin endpoint. Throws if the server rejects the configuration. */
  async load(config: object): Promise<void> {
    const refusal = await this.offer(config);
    if (refusal !== null) throw new Error(`the configuration was rejected: ${refusal}`);
  }

  /** Like {@link load}, but returns the response if the configuration is rejected; otherwise `null`. */
  async offer(config: object): Promise<string | null> {
    const text = JSON.stringify(withAdmin(this.admin, config));
    const { status, body } = await callPersistently(this.admin, { method: 'POST', path: '/load', body: text });
    return status === 200 ? null : body.toString();
  }

  /** Reports whether the server has exited by itself. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

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
