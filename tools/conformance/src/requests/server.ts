/** A server under comparison that takes one configuration after the other. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that runs, with a folder, an admin endpoint and a port of its own. */
export class ConfigurableServer {
  /** Where configurations may listen. */
  readonly port: number;
  readonly #admin: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, admin: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#admin = admin;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts a command line, and waits for its admin endpoint. */
  static async start([program = '', ...args]: readonly string[]): Promise<ConfigurableServer> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-requests-'));
    const [port, admin] = [await freePort(), await freePort()];
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify({ admin: { listen: `127.0.0.1:${admin}` } }));
    const child = spawn(program, [...args, 'run', '--config', file], {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    });
    const server = new ConfigurableServer(port, admin, child, folder);
    for (const end = performance.now() + 30_000; ; await sleep(30)) {
      const answer = await server.#call('GET', '/config/', '').catch(() => null);
      if (answer?.status === 200) return server;
      if (child.exitCode === null && performance.now() < end) continue;
      await server.stop();
      throw new Error(`${program} did not start`);
    }
  }

  /** Takes a configuration in place of the one before; its admin endpoint stays. */
  async load(config: unknown): Promise<void> {
    const whole = { admin: { listen: `127.0.0.1:${this.#admin}` }, ...(config as object) };
    const { status, text } = await this.#call('POST', '/load', JSON.stringify(whole));
    if (status !== 200) throw new Error(`the configuration was refused: ${text}`);
  }

  /** Ends it, and removes its folder. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #call(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.#admin,
          method,
          path,
          agent: false,
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      call.on('error', reject).end(body);
    });
  }
}

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
