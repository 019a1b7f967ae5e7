/** Tests of a configuration in a thread of its own: task, bounds and report. */
import type { Json } from '@sluice/base';
import type { RequestedTests } from '@sluice/registry';
import type { Difference } from './expectations.ts';

export interface TestTask extends RequestedTests {
  /** The configuration under test. */
  readonly document: Json;
}

/** Maximum values of one task. `milliseconds`: duration, without the start of the thread. */
export const testBounds = { files: 100, cases: 1000, failures: 20, milliseconds: 20_000 } as const;

export interface TestFailure {
  /** Policy that requires the test, and place of the case; absent for tests that a client sent. */
  readonly policy?: string;
  readonly file?: string;
  /** Starting at 1. */
  readonly line?: number;
  /** Index of the case in its file. */
  readonly index: number;
  readonly name: string;
  /** Failed expectations. `got` is absent if the client must not read files and environment variables. */
  readonly differences: readonly (Pick<Difference, 'what' | 'expected'> & Partial<Pick<Difference, 'got'>>)[];
  /** One-line description of the request's processing. */
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
  /** Reason why tests could not run; `null` if all ran. */
  readonly error: string | null;
  readonly ms: number;
}

/** Runs tests outside of the control thread. Rejects with ERR_TESTS if they exceed a limit. */
export interface TestThread {
  run(task: TestTask): Promise<TestReport>;
}

/** Threads for tests that decide about a change, and for others, which must not delay them. */
export interface TestThreads {
  readonly deciding: TestThread;
  readonly reporting: TestThread;
}
