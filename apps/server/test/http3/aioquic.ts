/** Runs the clients in `aioquic/`, which require Python with aioquic (`pip install aioquic`). */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandOf } from '@sluice/testing';

const run = promisify(execFile);
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

export class Aioquic {
  readonly #python: string;

  private constructor(python: string) {
    this.#python = python;
  }

  /** Returns `null` and prints a message if Python or aioquic is missing. `AIOQUIC_PYTHON` is the path of a Python with aioquic installed. */
  static async find(): Promise<Aioquic | null> {
    const python = process.env['AIOQUIC_PYTHON'] ?? commandOf('python3');
    try {
      if (python === null) throw new Error('no Python');
      await run(python, ['-c', 'import aioquic']);
      return new Aioquic(python);
    } catch {
      process.stdout.write('      skipped: Python with aioquic is missing; install it and set AIOQUIC_PYTHON\n');
      return null;
    }
  }

  /** Runs a Python script and returns the JSON value that it prints. */
  async play(script: string, ...args: readonly (string | number)[]): Promise<unknown> {
    const { stdout } = await run(this.#python, [pathOf(script), ...args.map(String)], {
      timeout: 400_000,
      env,
      maxBuffer: 1 << 24,
    });
    return JSON.parse(stdout);
  }

  start(script: string, ...args: readonly (string | number)[]): ChildProcess {
    return spawn(this.#python, [pathOf(script), ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'], env });
  }
}

function pathOf(script: string): string {
  return fileURLToPath(new URL(`./aioquic/${script}.py`, import.meta.url));
}
