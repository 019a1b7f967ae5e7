/** Runs the tests of a task, and summarizes the results. */
import { glob } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { confine, messageOf, SluiceError } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { parseCases, readCases, type TestFile } from './read-cases.ts';
import { runCases, type CaseResult } from './run-file.ts';
import { testGuard } from './test-guard.ts';
import { testBounds, type TestFailure, type TestReport, type TestTask } from './test-task.ts';

/** File name for tests that a client sent, used in reports. */
const sentName = 'tests.json';

/** Maximum length of a value in a test report, in UTF-16 code units. */
const maxValue = 500;

interface Group {
  /** Policy that requires the tests, or `null` for tests that a client sent. */
  readonly policy: string | null;
  readonly read: () => Promise<readonly TestFile[]>;
}

/**
 * Works like {@link runTask} but rejects after the time limit. The limit does not include the start of the thread, because that can take a
 * long time on a busy machine.
 */
export function runTaskInTime(
  task: TestTask,
  newRegistry: () => Promise<Registry>,
  milliseconds: number = testBounds.milliseconds,
): Promise<TestReport> {
  const late = sleep(milliseconds, undefined, { ref: false }).then(() => {
    const problem = `tests: not complete after ${milliseconds / 1000} s`;
    throw new SluiceError('ERR_TESTS', problem, { status: 504 });
  });
  return Promise.race([runTask(task, newRegistry), late]);
}

/** Runs all tests of a task against the document. Unreadable files are listed in the report. */
async function runTask(task: TestTask, newRegistry: () => Promise<Registry>): Promise<TestReport> {
  const startedAt = performance.now();
  const tally = new Tally(task.confined);
  const groups: Group[] = task.required.map(({ policy, files }) => ({ policy, read: () => filesOf(files) }));
  const { cases } = task;
  if (cases !== null)
    groups.push({ policy: null, read: async () => [await parseCases(sentName, JSON.stringify(cases, null, 2))] });
  let error: string | null = null;
  for (const { policy, read } of groups)
    try {
      for (const file of await read()) {
        tally.checkRoom(file);
        tally.add(policy, file, await run(task, file, policy, newRegistry));
      }
    } catch (problem) {
      error = policy === null ? messageOf(problem) : `policy ${JSON.stringify(policy)}: ${messageOf(problem)}`;
      break;
    }
  return tally.report(error, performance.now() - startedAt);
}

async function run(
  { document, confined }: TestTask,
  { cases }: TestFile,
  policy: string | null,
  newRegistry: () => Promise<Registry>,
): Promise<readonly CaseResult[]> {
  // Don't confine the tests of policies, because the server's operator wrote them.
  const isConfined = confined && policy === null;
  const start = async (): Promise<readonly CaseResult[]> => {
    const registry = await newRegistry();
    const guard = testGuard(document, registry, isConfined);
    return runCases(cases, { document, sources: null }, { registry, newRegistry, seen: null, guard });
  };
  return isConfined ? confine(start) : start();
}

/** Reads the test files of a policy. Throws if a pattern matches no file. */
async function filesOf(patterns: readonly string[]): Promise<readonly TestFile[]> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    const found: string[] = [];
    for await (const name of glob(pattern)) found.push(isAbsolute(name) ? name : resolve(name));
    if (found.length === 0) throw testError(`no test file matches ${JSON.stringify(pattern)}`);
    for (const name of found.toSorted()) names.add(name);
    if (names.size > testBounds.files) throw testError(`more than ${testBounds.files} test files match`);
  }
  return Promise.all([...names].map(readCases));
}

function testError(problem: string): SluiceError {
  return new SluiceError('ERR_TESTS', problem, { status: 409 });
}

/** Counts the results of tests, and keeps the first failures. */
class Tally {
  readonly #withheld: boolean;
  readonly #failures: TestFailure[] = [];
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  #files = 0;

  /** If `withheld` is true, response values are omitted from failures of tests that policies require. */
  constructor(withheld: boolean) {
    this.#withheld = withheld;
  }

  /** Throws if a file contains more test cases than the remaining limit allows. */
  checkRoom({ cases }: TestFile): void {
    const { passed, failed, skipped } = this.#counts;
    if (passed + failed + skipped + cases.length > testBounds.cases)
      throw testError(`there are more than ${testBounds.cases} test cases`);
  }

  add(policy: string | null, { file }: TestFile, results: readonly CaseResult[]): void {
    this.#files++;
    for (const [index, result] of results.entries()) {
      this.#counts[result.outcome]++;
      if (result.outcome === 'failed' && this.#failures.length < testBounds.failures)
        this.#failures.push(failureOf({ policy, file, index }, result, this.#withheld && policy !== null));
    }
  }

  report(error: string | null, milliseconds: number): TestReport {
    const { passed, failed, skipped } = this.#counts;
    const failures = this.#failures;
    const cases = passed + failed + skipped;
    return { files: this.#files, cases, passed, failed, skipped, failures, error, ms: Math.round(milliseconds) };
  }
}

interface CaseAt {
  readonly policy: string | null;
  readonly file: string;
  readonly index: number;
}

function failureOf({ policy, file, index }: CaseAt, result: CaseResult, isWithheld: boolean): TestFailure {
  const { testCase, differences, summary } = result;
  return {
    ...(policy === null ? {} : { policy, file, line: testCase.place.line }),
    index,
    name: testCase.name,
    differences: differences.map(({ what, expected, got }) => ({
      what,
      expected: shortened(expected),
      ...(isWithheld ? {} : { got: shortened(got) }),
    })),
    ...(isWithheld || summary === '' ? {} : { summary: shortened(summary) }),
  };
}

function shortened(text: string): string {
  return text.length <= maxValue ? text : `${text.slice(0, maxValue).toWellFormed()}…`;
}
