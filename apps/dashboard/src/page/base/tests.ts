/** Results of the tests that policies require, from the `tests` property of a dry run. */
import { count } from './format.ts';

export interface TestReport {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The first failures. */
  readonly failures: readonly TestFailure[];
  /** Reason why the tests could not run, or `null`. */
  readonly error: string | null;
}

export interface TestFailure {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly differences: readonly { readonly what: string; readonly expected: string; readonly got?: string }[];
}

/** Summarizes the test results in one sentence. */
export function testsHeadlineOf({ cases, failed, error }: TestReport): string {
  if (error !== null) return 'Required tests could not run';
  return failed > 0
    ? `${failed} of ${count(cases, 'required test')} failed`
    : `${count(cases, 'required test')} passed`;
}

/** Returns the failed expectations of a test, each formatted as one line. */
export function failureLinesOf({ differences }: TestFailure): readonly string[] {
  return differences.map(
    ({ what, expected, got }) => `${what}: expected ${expected}${got === undefined ? '' : `, got ${got}`}`,
  );
}
