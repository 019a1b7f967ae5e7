/** A server under comparison: ours from its sources, or the reference, each with a folder and ports of its own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { routesTo } from './routes.ts';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));

/** The command of our server, which needs no build. */
export const ours: readonly string[] = [process.execPath, '--conditions=@sluice/source', main];

/** The command of the reference, on the path or where Go puts what it builds; `null` if it is not here. */
export function reference(): readonly string[] | null {
  const script = 'command -v caddy || { f="$(go env GOPATH 2>/dev/null)/bin/caddy"; test -x "$f" && echo "$f"; }';
  const found = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  return found.status === 0 ? [found.stdout.trim()] : null;
}

/** A server that runs. */
export class ServerProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts a command as a proxy to the upstream on a port of the loopback interface. */
  static async start(command: readonly string[], upstream: number): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-differential-'));
    const [port, admin] = [await freePort(), await freePort()];
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(configuration(port, admin, upstream)));
    const [program = '', ...args] = command;
    const child = spawn(program, [...args, 'run', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
    const server = new ServerProcess(port, child, folder);
    for (const end = performance.now() + 30_000; !(await listens(port)); await sleep(20)) {
      if (child.exitCode === null && performance.now() < end) continue;
      await server.stop();
      throw new Error(`${command.join(' ')} did not start: ${said}`);
    }
    return server;
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
}

function configuration(port: number, admin: number, upstream: number): unknown {
  const server = {
    listen: [`127.0.0.1:${port}`],
    protocols: ['h1'],
    automatic_https: { disable: true },
    routes: routesTo(`127.0.0.1:${upstream}`),
  };
  const logging = { logs: { default: { level: 'ERROR', writer: { output: 'discard' } } } };
  return { admin: { listen: `127.0.0.1:${admin}` }, logging, apps: { http: { servers: { s: server } } } };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
