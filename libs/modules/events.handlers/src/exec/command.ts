/** One run of a program, without a shell, for a bounded time and with bounded output. */
import { spawn } from 'node:child_process';
import { atUsualPriority } from '@sluice/threads';

/** What to run. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The folder; `undefined` for that of the server. */
  readonly folder: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
}

/** How it ended. */
export interface Outcome {
  /** Exit code; `null` if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it ran out of time. */
  readonly late: boolean;
  /** The end of what it wrote to its standard output and error. */
  readonly output: string;
}

/** How much of the output is kept, in characters. */
const maxOutput = 4096;

/** Runs; `signal` kills it. Rejects if it cannot be started. */
export function runCommand({ file, args, folder, timeout }: Command, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = atUsualPriority(() =>
      spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], shell: false, windowsHide: true }),
    );
    let output = '';
    let late = false;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, timeout);
    signal.addEventListener('abort', kill);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-maxOutput);
      });
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    // Not `close`: what it left running may hold its output open for ever.
    child.on('exit', (code, by) => {
      settle();
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, signal: by, late, output });
      });
    });
  });
}
