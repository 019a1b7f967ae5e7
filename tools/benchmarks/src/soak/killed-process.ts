/** Child processes that a soak test kills and restarts. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onProcessor } from '../machine.ts';

/** A child process that listens on a port and prints the port number. A restarted process uses the same port. */
export class KilledProcess {
  /** Port on which the process listens. */
  port = 0;
  readonly #script: string;
  readonly #argument: string;
  #child: ChildProcess | null = null;

  /** `script` is a file in this directory. Its arguments are the port (0 for any) and `argument`. */
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

  /** Kills the process. Its connections are then reset, and its port refuses new ones. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
