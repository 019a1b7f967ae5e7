/** Messages between the tool and the process that runs tests for it. */
import type { Range } from '../executed.ts';
import type { MutantInFile } from '../load-mutant.ts';

/** A test file. */
export interface TestToRun {
  readonly path: string;
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
}

/** Runs test files in order until one fails. */
export interface Trial {
  readonly kind: 'trial';
  readonly tests: readonly TestToRun[];
  readonly mutant: MutantInFile;
}

/** Runs one test file without a mutant and collects its coverage. */
export interface Measurement {
  readonly kind: 'measurement';
  readonly test: TestToRun;
}

/**
 * Result of a trial. `spoilt`: a test failed that also fails without the mutant, because of state that an earlier
 * mutant left behind.
 */
export type TrialVerdict = 'killed' | 'survived' | 'spoilt';

/** Result of a test file without a mutant. */
export interface Measured {
  readonly passed: boolean;
  /** True if the file starts threads or processes, which do not have this process's mutant. */
  readonly starts: boolean;
  /** Duration in milliseconds. */
  readonly duration: number;
  /** Ranges by URL of the package's source files. */
  readonly scripts: readonly (readonly [url: string, ranges: readonly Range[]])[];
}

export type Request = Trial | Measurement;

export type Reply = TrialVerdict | Measured;
