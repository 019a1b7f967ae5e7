/** A child process that runs tests against one mutant after another. Reusing it saves process startup and module imports. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loopSignal } from '../loops/watch-for-loops.ts';
import type { Measured, Reply, Request, TestToRun, Trial, TrialVerdict } from './messages.ts';

/**
 * Outcome of a run. `loop`: the tests are in an infinite loop. `late`: the tests timed out for another reason. `gone`: the process exited
 * unexpectedly.
 */
export type Outcome = TrialVerdict | 'loop' | 'late' | 'gone';

const entry = fileURLToPath(new URL('test-child.ts', import.meta.url));
const options = ['--conditions=@sluice/source', '--disable-warning=ExperimentalWarning'];

/** Maximum number of requests per process. Afterward, the process is replaced, because modules of earlier loads remain in memory. */
const maxRequests = 100;

/** Timeout in milliseconds for a process that is not in an infinite loop. Tests that hang have a separate timeout. */
const limit = 900_000;

export class TestProcess {
  readonly #arguments: readonly string[];
  #child: ChildProcess | null = null;
  #requests = 0;

  /** `timeout` is the CPU time in seconds after which a loop is considered infinite. */
  constructor(root: string, folder: string, timeout = 10) {
    this.#arguments = [root, folder, String(timeout)];
  }

  /** Runs tests against a mutant. If an earlier mutant has spoiled the process, retries in a new process. */
  async try(trial: Trial): Promise<Outcome> {
    const isFresh = this.#child === null;
    const outcome = (await this.#send(trial)) as Outcome;
    if (outcome !== 'spoilt') return outcome;
    this.end();
    return isFresh ? outcome : ((await this.#send(trial)) as Outcome);
  }

  /** Runs a test file without a mutant. Returns `null` if the process exits. */
  async measure(test: TestToRun): Promise<Measured | null> {
    const reply = await this.#send({ kind: 'measurement', test });
    return typeof reply === 'object' ? reply : null;
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#requests = 0;
  }

  #send(request: Request): Promise<Reply | Outcome> {
    if (++this.#requests > maxRequests) this.end();
    const child = (this.#child ??= fork(entry, this.#arguments, {
      execArgv: options,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }));
    return new Promise((resolve) => {
      const settle = (outcome: Reply | Outcome): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(outcome);
      };
      const fail = (outcome: Outcome): void => {
        this.end();
        settle(outcome);
      };
      const timer = setTimeout(fail, limit, 'late');
      child.on('message', (reply: Reply) => settle(reply));
      child.on('error', () => fail('gone'));
      child.on('exit', (_code, signal) => fail(signal === loopSignal ? 'loop' : 'gone'));
      child.send(request);
    });
  }
}
