/**
 * Whether the bindings to OpenSSL and sockets can be used. They are tried in a child process, once, when a configuration first asks for
 * them: where they do not work, nothing of them is loaded here.
 */
import { execFile } from 'node:child_process';
import { nativeCheckToken } from '@sluice/http-app';
import type { Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from '@sluice/threads';
import { programArguments } from '../installation.ts';

/** `off` disables the bindings; `test` makes this program try them and exit. */
export const nativeVariable = 'SLUICE_NATIVE';
/** How long the test may take, in milliseconds; usually it is a tenth of a second. */
const timeout = 30_000;

const nativeProblemQuestion: Question<null, string | null> = question('process.native_problem');

let known: Promise<string | null> | undefined;

/** Returns why the bindings cannot be used; `null` if they can. */
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
      else if (error.signal != null) resolve(`their self-test was ended by ${error.signal}`);
      else
        resolve(problem.trim() === '' ? `their self-test exited with code ${error.code}` : problem.trim().slice(-500));
    });
  });
}

/** Control thread: responds to those that serve. */
export function answerNativeCheck(bus: ThreadBus): void {
  bus.onAsk(nativeProblemQuestion, nativeCheck);
}

/** The service of a thread by which it learns of the result. */
export function nativeCheckService(bus: ThreadBus): readonly [Token<unknown>, unknown] {
  return [nativeCheckToken, () => bus.ask(nativeProblemQuestion, null)] as const;
}
