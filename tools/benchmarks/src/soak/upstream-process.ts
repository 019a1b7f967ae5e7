/** Starts and kills the process of an upstream. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onProcessor } from '../machine.ts';

const script = fileURLToPath(new URL('upstream.ts', import.meta.url));

/** An upstream that can be killed, and revived on the same port. */
export class UpstreamProcess {
  /** Where it listens. */
  port = 0;
  readonly #keepAlive: number;
  #child: ChildProcess | null = null;

  /** `keepAlive`: how long idle connections are kept, in milliseconds. */
  constructor(keepAlive = 60_000) {
    this.#keepAlive = keepAlive;
  }

  /** Starts, or revives, it. */
  async start(): Promise<this> {
    const [program = '', ...args] = onProcessor(1, [process.execPath, script, `${this.port}`, `${this.#keepAlive}`]);
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = Number(line.toString());
    return this;
  }

  /** Kills it: its connections are reset, its port refuses new ones. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
