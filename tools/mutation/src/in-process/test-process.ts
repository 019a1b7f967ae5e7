/** A process that runs tests against one mutant after the other, which spares their start and what they import. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loopSignal } from '../loops/watch-for-loops.ts';
import type { Measured, Reply, Request, TestToRun, Trial, TrialVerdict } from './messages.ts';

/** `loop`: the tests never end. `late`: they have not, for another reason. `gone`: the process has ended by itself. */
export type Outcome = TrialVerdict | 'loop' | 'late' | 'gone';

const entry = fileURLToPath(new URL('test-child.ts', import.meta.url));
const options = ['--conditions=@sluice/source', '--disable-warning=ExperimentalWarning'];

/** Modules of earlier loads stay in the memory: after so many requests the process is replaced. */
const most = 100;

/** When to give up a process that is not in a loop, in milliseconds. Tests that wait fail by themselves. */
const limit = 900_000;

export class TestProcess {
  readonly #arguments: readonly string[];
  #child: ChildProcess | null = null;
  #requests = 0;

  /** `timeout`: seconds of the processor until a loop is one. */
  constructor(root: string, folder: string, timeout = 10) {
    this.#arguments = [root, folder, String(timeout)];
  }

  /** Runs tests against a mutant. What is spoilt is tried again in a process that has seen no other mutant. */
  async try(trial: Trial): Promise<Outcome> {
    const isFresh = this.#child === null;
    const outcome = (await this.#send(trial)) as Outcome;
    if (outcome !== 'spoilt') return outcome;
    this.end();
    return isFresh ? outcome : ((await this.#send(trial)) as Outcome);
  }

  /** Runs a test file without a mutant; `null` where that ends the process. */
  async measure(test: TestToRun): Promise<Measured | null> {
    const reply = await this.#send({ kind: 'measurement', test });
    return typeof reply === 'object' ? reply : null;
  }

  /** Ends the process. The next request starts another one. */
  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#requests = 0;
  }

  #send(request: Request): Promise<Reply | Outcome> {
    if (++this.#requests > most) this.end();
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
