/** Runs a program without a shell. Time and output are limited. */
import { spawn } from 'node:child_process';
import { atOriginalPriority } from '@sluice/threads';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Working directory. `undefined` selects the server's working directory. */
  readonly folder: string | undefined;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

/** Result of running a program. */
export interface Outcome {
  /** Exit code, or `null` if a signal terminated the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if the program exceeded the timeout. */
  readonly late: boolean;
  /** Last part of the combined standard output and standard error. */
  readonly output: string;
}

/** Maximum size of the output to keep, in characters. */
const maxOutput = 4096;

/** Runs a program. Aborting `signal` kills the process. Rejects if the process cannot be started. */
export function runCommand({ file, args, folder, timeout }: Command, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = atOriginalPriority(() =>
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
    // Use the `exit` event instead of `close`, because child processes may keep the output open indefinitely.
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
