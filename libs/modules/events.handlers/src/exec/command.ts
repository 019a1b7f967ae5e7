/** Runs a program without a shell, with limits on time and output. */
import { spawn } from 'node:child_process';
import { atOriginalPriority } from '@sluice/threads';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Working directory; `undefined` means the server's working directory. */
  readonly folder: string | undefined;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

/** Result of a command. */
export interface Outcome {
  /** Exit code; `null` if it was terminated by a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if the command exceeded the timeout. */
  readonly late: boolean;
  /** End of the combined output. */
  readonly output: string;
}

/** Maximum size of kept output, in characters. */
const maxOutput = 4096;

/** Runs a command. `signal` kills the process. Rejects if the process cannot be started. */
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
    // Use `exit` instead of `close`, because child processes may keep the output open indefinitely.
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
