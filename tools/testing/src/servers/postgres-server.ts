/**
 * Runs PostgreSQL on a loopback address, with data in a temporary directory. PostgreSQL refuses to run as root. If the tests run as root,
 * it runs as the user of the distribution's package, or as another unprivileged user.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../machine.ts';

/** Directory of the PostgreSQL executables, or `null` if they are not installed. */
const programs = findPrograms();

/** True if PostgreSQL is installed. */
export const hasPostgres: boolean = programs !== null;

const identity = process.getuid?.() === 0 ? serverUser() : null;

/** A running PostgreSQL server. Its user and database are named `postgres`. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number, options: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#options = options;
  }

  /** Starts a server. Settings have the form `name=value`. `access` is the content of pg_hba.conf, which controls authentication. */
  static async start(
    settings: readonly string[] = [],
    access = 'host all all 127.0.0.1/32 trust',
    files: Readonly<Record<string, string>> = {},
  ): Promise<PostgresServer> {
    const server = await PostgresServer.#make(settings);
    await server.#program('initdb', ['-D', server.#data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
    await server.write('pg_hba.conf', `${access}\nhost replication all 127.0.0.1/32 trust\nlocal all all trust\n`);
    for (const [name, text] of Object.entries(files)) await server.write(name, text);
    await server.run();
    return server;
  }

  /** Starts a standby that replicates from this server, directly or through a relay. */
  async standby(port: number, name: string): Promise<PostgresServer> {
    const server = await PostgresServer.#make([]);
    const source = `host=127.0.0.1 port=${port} user=postgres application_name=${name}`;
    await server.#program('pg_basebackup', ['-D', server.#data, '-d', source, '-R', '--no-sync', '-c', 'fast']);
    await chmod(server.#data, 0o700);
    await server.run();
    return server;
  }

  static async #make(settings: readonly string[]): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pg-'));
    if (identity !== null) await chown(folder, identity.uid, identity.gid);
    return new PostgresServer(folder, await freePort(), settings);
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** Writes a file to the server's data directory. Only the server can read it. */
  async write(name: string, text: string): Promise<void> {
    const path = join(this.#data, name);
    await writeFile(path, text, { mode: 0o600 });
    if (identity !== null) await chown(path, identity.uid, identity.gid);
  }

  /** Starts the server. If it ran before, it restarts with its existing data. */
  async run(): Promise<void> {
    const place = [`port=${this.port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${this.#folder}`];
    const words = [...place, ...this.#options].flatMap((setting) => ['-c', setting]);
    const child = spawn(join(programs as string, 'postgres'), ['-D', this.#data, ...words], {
      ...identity,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let said = '';
    const ready = new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (bytes) => {
        said += String(bytes);
        if (said.includes('ready to accept')) resolve();
      });
      child.once('exit', () => reject(new Error(`postgres did not start: ${said}`)));
    });
    await ready;
  }

  /** Runs a statement with `psql` and returns its output. Blocks the process. */
  control(statement: string): string {
    const place = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres', '-At', '-c', statement];
    return execFileSync(join(programs as string, 'psql'), place, { encoding: 'utf8' }).trim();
  }

  /** Runs a statement with `psql` and returns its output. Does not block the process. Rejects with the error output. */
  async query(statement: string): Promise<string> {
    const place = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres', '-At', '-c', statement];
    return (await this.#program('psql', place)).trim();
  }

  signal(name: NodeJS.Signals): void {
    const { pid } = this.#process ?? {};
    if (pid === undefined) return;
    process.kill(pid, name);
    for (const child of childrenOf(pid)) {
      try {
        process.kill(child, name);
      } catch {
        // Ignores the error because the process has already exited.
      }
    }
  }

  /** Kills the server but keeps its data. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (running === null) return;
    const gone = once(running, 'exit');
    running.kill('SIGQUIT');
    running.kill('SIGCONT');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs a PostgreSQL program asynchronously, because it may connect through a relay in this process. */
  async #program(name: string, words: readonly string[]): Promise<string> {
    const child = spawn(join(programs as string, name), words, {
      ...identity,
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, said] = ['', ''];
    child.stdout.on('data', (bytes) => (output += String(bytes)));
    child.stderr.on('data', (bytes) => (said += String(bytes)));
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0) throw new Error(`${name}: ${said}`);
    return output;
  }
}

/** Returns the child processes of a process, if the operating system provides them. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function findPrograms(): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      const real = dirname(realpathSync(join(folder, 'postgres')));
      return spawnSync(join(real, 'initdb'), ['--version']).status === 0 ? real : null;
    } catch {}
  }
  return null;
}

function serverUser(): { readonly uid: number; readonly gid: number } {
  const id = (option: string, name: string): number | null => {
    const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : null;
  };
  const name = id('-u', 'postgres') === null ? 'daemon' : 'postgres';
  return { uid: id('-u', name) ?? 65_534, gid: id('-g', name) ?? 65_534 };
}
