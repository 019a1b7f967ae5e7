/**
 * Tests the OpenSSL and socket bindings in a child process, once, when a configuration first needs them. This process never loads bindings
 * that don't work.
 */
import { execFile } from 'node:child_process';
import { nativeCheckToken } from '@sluice/http-app';
import type { Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from '@sluice/threads';
import { programArguments } from '../installation.ts';

/** Environment variable for the native bindings. `off` disables them. `test` makes the program test them and exit. */
const nativeVariable = 'SLUICE_NATIVE';
/** Timeout of the bindings test in milliseconds. The test usually takes a tenth of a second. */
const timeout = 30_000;

const nativeProblemQuestion: Question<null, string | null> = question('process.native_problem');

let known: Promise<string | null> | undefined;

/** Returns the reason why the native bindings cannot be used, or `null`. */
export function nativeCheck(): Promise<string | null> {
  known ??= check();
  return known;
}

function check(): Promise<string | null> {
  if (process.env[nativeVariable] === 'off')
    return Promise.resolve(`the environment variable ${nativeVariable} is set to "off"`);
  return new Promise((resolve) => {
    const options = { env: { ...process.env, [nativeVariable]: 'test' }, timeout, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [...programArguments()], options, (error, _output, problem) => {
      if (error === null) resolve(null);
      else if (error.signal != null) resolve(`native bindings self-test was terminated by ${error.signal}`);
      else
        resolve(
          problem.trim() === ''
            ? `native bindings self-test exited with code ${error.code}`
            : problem.trim().slice(-500),
        );
    });
  });
}

/** Answers other threads' requests for the test result. Call only in the control thread. */
export function answerNativeCheck(bus: ThreadBus): void {
  bus.onAsk(nativeProblemQuestion, nativeCheck);
}

/** Returns the thread service that provides the test result. */
export function nativeCheckService(bus: ThreadBus): readonly [Token<unknown>, unknown] {
  return [nativeCheckToken, () => bus.ask(nativeProblemQuestion, null)] as const;
}
