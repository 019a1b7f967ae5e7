/** Runs a server under comparison. Configurations are loaded one after another. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing/machine';
import { callAdmin, callPersistently } from './call-admin.ts';

export interface StartSettings {
  /** Additional options for the server's `run` command. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Working directory of the server. Default: the current directory. */
  readonly workingFolder?: string;
}

/** A running server with a separate directory, admin endpoint and port. */
export class ServerProcess {
  readonly port: number;
  /** Home directory of the server. It is deleted when the server stops. */
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

  /** Starts a server command and waits for its admin endpoint. */
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

  /** Replaces the configuration but keeps the admin address. Throws if the server rejects the configuration. */
  async load(config: object): Promise<void> {
    const refusal = await this.offer(config);
    if (refusal !== null) throw new Error(`the configuration was rejected: ${refusal}`);
  }

  /** Works like {@link load} but returns the response if the server rejects the configuration, and otherwise `null`. */
  async offer(config: object): Promise<string | null> {
    const text = JSON.stringify(withAdmin(this.admin, config));
    const { status, body } = await callPersistently(this.admin, { method: 'POST', path: '/load', body: text });
    return status === 200 ? null : body.toString();
  }

  /** Reports whether the server process has exited unexpectedly. */
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
