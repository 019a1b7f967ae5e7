/** Runs Redis on a loopback address, with data in a temporary directory. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../machine.ts';

/** True if Redis is installed. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** Redis options that the fleet documentation requires. */
const careful = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--repl-diskless-sync-delay', '0'];

/** Timeout of a Redis command, in milliseconds. The command blocks the test process. */
const timeout = 30_000;

export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  #process: ChildProcess | null = null;

  private constructor(folder: string, port: number, options: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#options = options;
  }

  static async start(options: readonly string[] = careful): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    const server = new RedisServer(folder, await freePort(), options);
    await server.run();
    return server;
  }

  /** Starts a server with the options that the fleet documentation requires and with additional options. */
  static startCareful(...options: readonly string[]): Promise<RedisServer> {
    return RedisServer.start([...careful, ...options]);
  }

  /** Starts a Redis Sentinel with a configuration file. */
  static startSentinel(file: string): Promise<RedisServer> {
    return RedisServer.start([file, '--sentinel']);
  }

  /** Starts the server. If it ran before, it restarts with its existing data. */
  async run(): Promise<void> {
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder];
    const first = this.#options.slice(0, this.#options[0]?.startsWith('--') === false ? 1 : 0);
    const words = [...first, ...place, ...this.#options.slice(first.length)];
    this.#process = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    this.#process.stdout?.on('data', (bytes) => (said += String(bytes)));
    for (let i = 0; !/ready to accept connections|Sentinel ID is/i.test(said); i++) {
      if (i > 500 || this.#process.exitCode !== null) throw new Error(`redis-server did not start: ${said}`);
      await sleep(20);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** Runs a command with `redis-cli` and returns its output. */
  control(...words: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync('redis-cli', ['-p', String(this.port), ...words], {
      encoding: 'utf8',
      timeout: timeout,
    });
    if (status !== 0) throw error ?? new Error(stderr);
    return stdout.trim();
  }

  /** Kills the server but keeps its data. */
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
