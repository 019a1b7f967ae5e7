/** A member of a fleet: a server as its own process, with a home of its own, which can be killed, stopped and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@sluice/testing';
import { processorTime } from '../processes.ts';
import { ask, type AdminResponse, type Asked } from './admin-client.ts';

/** What `GET /fleet` says of a member, as far as it is looked at. */
export interface MemberState {
  readonly hash: string;
  readonly document: string;
  readonly known: number;
  readonly applied: number;
  readonly forked?: unknown;
  readonly rejected?: unknown;
  readonly resyncs: Readonly<Record<string, number>>;
}

/** How a member is run. */
export interface MemberPlace {
  readonly name: string;
  /** The server, as a command. */
  readonly command: readonly string[];
  /** As `--fleet` takes it. */
  readonly address: string;
  /** There until the trial is over. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Members that run; none outlives this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** One member. */
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

  /** Runs it; resolves when it serves. `document` is for a fleet that is yet to be made. */
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
      if (child.exitCode !== null) throw new Error(`${name} has ended:\n${await this.log()}`);
      if (await this.serves()) return;
      await sleep(10);
    }
  }

  /** Whether it responds to a client. */
  async serves(): Promise<boolean> {
    return (await this.served()) !== null;
  }

  /** What it responds with to a client; `null` if it does not. */
  async served(): Promise<string | null> {
    const response = await ask(this.httpPort, { path: '/', patience: 5000 }).catch(() => null);
    return response?.status === 200 ? response.text : null;
  }

  /** The body that it responds with to a client, whatever the status; `null` if it does not respond. */
  async bodyOf(path: string): Promise<string | null> {
    return (await ask(this.httpPort, { path, patience: 5000 }).catch(() => null))?.text ?? null;
  }

  ask(asked: Asked): Promise<AdminResponse> {
    return ask(this.adminPort, asked);
  }

  async state(): Promise<MemberState> {
    return JSON.parse((await this.ask({ path: '/fleet' })).text) as MemberState;
  }

  /** Milliseconds of processor time that this life of it has used. */
  processorTime(): number {
    return processorTime(this.#process?.pid ?? 0) / 1000;
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** Ends it at once; what it has saved stays. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** What it has said in all its lives. */
  log(): Promise<string> {
    return readFile(this.#logPath, 'utf8');
  }

  get #logPath(): string {
    return join(this.#place.folder, `${this.name}.log`);
  }
}
