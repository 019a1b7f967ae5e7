/** Starts and kills the process of a peer that takes log lines. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onProcessor } from '../machine.ts';

const script = fileURLToPath(new URL('log-peer.ts', import.meta.url));

/** A peer that can be killed, and revived on the same port; it appends to one file. */
export class LogPeerProcess {
  /** Where it listens. */
  port = 0;
  readonly #file: string;
  #child: ChildProcess | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Starts, or revives, it. */
  async start(): Promise<this> {
    const [program = '', ...args] = onProcessor(1, [process.execPath, script, `${this.port}`, this.#file]);
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = Number(line.toString());
    return this;
  }

  /** Kills it, whatever it is reading. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
