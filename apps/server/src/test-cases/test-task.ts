/** Tests that run in a separate thread: their task, limits and report. */
import type { Json } from '@sluice/base';
import type { RequestedTests } from '@sluice/registry';
import type { Difference } from './expectations.ts';

export interface TestTask extends RequestedTests {
  /** Configuration document under test. */
  readonly document: Json;
}

/** Limits of one task. `milliseconds` is the maximum duration, not including thread startup. */
export const testBounds = { files: 100, cases: 1000, failures: 20, milliseconds: 20_000 } as const;

export interface TestFailure {
  /** Policy that requires the test, with the file and line of the test case. Absent for tests that a client sent. */
  readonly policy?: string;
  readonly file?: string;
  /** Starting at 1. */
  readonly line?: number;
  /** Index of the test case in its file. */
  readonly index: number;
  readonly name: string;
  /** Failed expectations. `got` is absent if the client must not read files and environment variables. */
  readonly differences: readonly (Pick<Difference, 'what' | 'expected'> & Partial<Pick<Difference, 'got'>>)[];
  /** One-line description of how the request was processed. */
  readonly summary?: string;
}

export interface TestReport {
  readonly files: number;
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first failures. */
  readonly failures: readonly TestFailure[];
  /** Reason why some tests could not run, or `null` if all of them ran. */
  readonly error: string | null;
  readonly ms: number;
}

/** Runs tests outside the control thread. Rejects with ERR_TESTS if the tests exceed a limit. */
export interface TestThread {
  run(task: TestTask): Promise<TestReport>;
}

/**
 * Two test threads. One runs the tests that decide whether a change is accepted. The other runs all other tests, so that they don't delay
 * the first.
 */
export interface TestThreads {
  readonly deciding: TestThread;
  readonly reporting: TestThread;
}
