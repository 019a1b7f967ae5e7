/** Processes that a soak test kills and restarts. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onProcessor } from '../machine.ts';

/** A process that listens on a port and prints the port number. A restarted process reuses the port. */
export class KilledProcess {
  /** Port on which it listens. */
  port = 0;
  readonly #script: string;
  readonly #argument: string;
  #child: ChildProcess | null = null;

  /** `script`, a file in this directory, gets the port (0 for any) and `argument`. */
  constructor(script: string, argument: string) {
    this.#script = fileURLToPath(new URL(script, import.meta.url));
    this.#argument = argument;
  }

  /** Starts or restarts the process. */
  async start(): Promise<this> {
    const [program = '', ...args] = onProcessor(1, [process.execPath, this.#script, `${this.port}`, this.#argument]);
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = Number(line.toString());
    return this;
  }

  /** Kills the process, so that its connections are reset and its port refuses new ones. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
