/** A fleet member: a server with a separate process and directory. It can be killed, suspended and restarted. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing';
import { processorTime } from '../processes.ts';
import { ask, type AdminResponse, type Asked } from './admin-client.ts';

/** Fields of a member in `GET /fleet` that the trials read. */
export interface MemberState {
  readonly hash: string;
  readonly document: string;
  readonly known: number;
  readonly applied: number;
  readonly forked?: unknown;
  readonly rejected?: unknown;
  readonly resyncs: Readonly<Record<string, number>>;
}

export interface MemberPlace {
  readonly name: string;
  /** Command that starts the server. */
  readonly command: readonly string[];
  /** Store address in the format of `--fleet`. */
  readonly address: string;
  /** Directory of the member. It exists until the trial ends. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Running member processes, which are killed when this process exits. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class MemberProcess {
  readonly name: string;
  readonly adminPort: number;
  readonly httpPort: number;
  readonly #place: MemberPlace;
  #process: ChildProcess | null = null;

  private constructor(place: MemberPlace, [adminPort, httpPort]: readonly [number, number]) {
    this.name = place.name;
    this.adminPort = adminPort;
    this.httpPort = httpPort;
    this.#place = place;
  }

  static async make(place: MemberPlace): Promise<MemberProcess> {
    return new MemberProcess(place, [await freePort(), await freePort()]);
  }

  /** Starts the member. Resolves when it is ready. If `document` is given, the member creates the fleet. */
  async run(document?: unknown): Promise<void> {
    const { name, command, address, folder, env = {} } = this.#place;
    const [program = '', ...first] = command;
    const words = [...first, 'run', '--workers', '1', '--fleet', address, '--fleet-member', name];
    if (document !== undefined) {
      const file = join(folder, `${name}.config.json`);
      await writeFile(file, JSON.stringify(document));
      words.push('--config', file);
    }
    const home = join(folder, name);
    await mkdir(home, { recursive: true });
    const output = openSync(this.#logPath, 'a');
    const child = spawn(program, words, {
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        XDG_CONFIG_HOME: `${home}/config`,
        XDG_DATA_HOME: `${home}/data`,
        ...env,
      },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#process = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${name} has exited:\n${await this.log()}`);
      if (await this.serves()) return;
      await sleep(10);
    }
  }

  /** Reports whether the member responds to a client's request. */
  async serves(): Promise<boolean> {
    return (await this.served()) !== null;
  }

  /** Returns the member's response to a client's request, or `null` if there was none. */
  async served(): Promise<string | null> {
    const response = await ask(this.httpPort, { path: '/', timeout: 5000 }).catch(() => null);
    return response?.status === 200 ? response.text : null;
  }

  /** Returns the body of the member's response to a client's request, regardless of its status. Returns `null` if there was no response. */
  async bodyOf(path: string): Promise<string | null> {
    return (await ask(this.httpPort, { path, timeout: 5000 }).catch(() => null))?.text ?? null;
  }

  ask(asked: Asked): Promise<AdminResponse> {
    return ask(this.adminPort, asked);
  }

  async state(): Promise<MemberState> {
    return JSON.parse((await this.ask({ path: '/fleet' })).text) as MemberState;
  }

  /** Returns the CPU time of the member since its last start, in milliseconds. */
  processorTime(): number {
    return processorTime(this.#process?.pid ?? 0) / 1000;
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  log(): Promise<string> {
    return readFile(this.#logPath, 'utf8');
  }

  get #logPath(): string {
    return join(this.#place.folder, `${this.name}.log`);
  }
}
