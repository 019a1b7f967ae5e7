/** A real Redis on loopback, in a temporary folder. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../machine.ts';

/** Whether this machine has one. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** As documents of fleets need it. */
const careful = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--repl-diskless-sync-delay', '0'];

/** How long a server has to respond to a command, in milliseconds: the process of the test waits for it. */
const timeout = 30_000;

/** One server that runs. */
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

  /** As {@link start} does without options, with more of them. */
  static startCareful(...options: readonly string[]): Promise<RedisServer> {
    return RedisServer.start([...careful, ...options]);
  }

  /** A Sentinel, with its file of settings. */
  static startSentinel(file: string): Promise<RedisServer> {
    return RedisServer.start([file, '--sentinel']);
  }

  /** Starts it, also again with what it has. */
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

  /** What `redis-cli` says to a command. */
  control(...words: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync('redis-cli', ['-p', String(this.port), ...words], {
      encoding: 'utf8',
      timeout: timeout,
    });
    if (status !== 0) throw error ?? new Error(stderr);
    return stdout.trim();
  }

  /** Ends it at once, and keeps what it has. */
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
