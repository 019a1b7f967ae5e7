/** Runs the tests that policies require before a configuration change. Also runs the tests that a client sends with a dry run. */
import { messageOf, SluiceError, type Json } from '@sluice/base';
import type { ExpectedBehavior, RunningServer } from '@sluice/registry';
import type { TestFailure, TestReport, TestTask, TestThreads } from './test-task.ts';

/** Permission that is required to read test results. It is separate, because tests evaluate a client's configuration. */
const testRight = { method: 'POST', path: '/explain/tests' } as const;

/** Maximum number of failures in an error message. */
const shownFailures = 3;

/** Taps the change hooks of a server. `threads` is `null` if the server cannot run tests because a program embeds it with its own modules. */
export function reportTests({ hooks }: RunningServer, threads: TestThreads | null): void {
  hooks.rehearsed.tapPromise('tests', async ({ effective: document, tests, expected, reportLater }) => {
    if (expected !== null) await checkTests(threads, document, expected);
    if (tests === null) return;
    const task = { ...tests, document };
    reportLater('tests', async () => (await reported(threads, task)) as unknown as Json, testRight);
  });
  hooks.prepared.tapPromise('tests', async ({ effective, expected }) => {
    if (expected !== null) await checkTests(threads, effective, expected);
  });
}

/** Runs the tests for a change. Throws ERR_TESTS with status 409 if a required test fails or cannot run. */
async function checkTests(
  threads: TestThreads | null,
  document: Json,
  { tests: required, confined }: ExpectedBehavior,
): Promise<void> {
  if (required.length === 0) return;
  const { deciding } = available(threads);
  const report = await deciding.run({ document, required, cases: null, confined }).catch((error: unknown) => {
    throw new SluiceError('ERR_TESTS', messageOf(error), { status: 409, cause: error });
  });
  const problem = problemOf(report);
  if (problem !== null) throw new SluiceError('ERR_TESTS', problem, { status: 409 });
}

async function reported(threads: TestThreads | null, task: TestTask): Promise<TestReport> {
  const report = await available(threads).reporting.run(task);
  // Report an error in the client's own tests to the client, which can correct them.
  if (report.error !== null && task.required.length === 0)
    throw new SluiceError('ERR_TESTS', report.error, { status: 400 });
  return report;
}

function available(threads: TestThreads | null): TestThreads {
  if (threads !== null) return threads;
  throw new SluiceError('ERR_TESTS', 'this server cannot run tests because it has embedded modules', { status: 501 });
}

/** Returns the reason why the tests forbid a change, or `null`. */
function problemOf({ error, failed, cases, failures }: TestReport): string | null {
  if (error !== null) return `the tests could not run: ${error}`;
  if (failed === 0) return null;
  const shown = failures.slice(0, shownFailures).map(failureText).join('; ');
  return `${failed} of ${cases} required tests fail: ${shown}${failed > shownFailures ? '; …' : ''}`;
}

function failureText({ policy = '', file = '', name, line = 0, differences: [first] }: TestFailure): string {
  const got = first?.got === undefined ? '' : `, got ${first.got}`;
  const difference = first === undefined ? '' : `: ${first.what}: expected ${first.expected}${got}`;
  return `policy ${JSON.stringify(policy)}, ${JSON.stringify(name)} (${file}:${line})${difference}`;
}
