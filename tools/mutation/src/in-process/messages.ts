/** Messages between the mutation tool and its test process. */
import type { Range } from '../executed.ts';
import type { MutantInFile } from '../load-mutant.ts';

/** A test file. */
export interface TestToRun {
  readonly path: string;
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
}

/** A request to run test files in order until one fails. */
export interface Trial {
  readonly kind: 'trial';
  readonly tests: readonly TestToRun[];
  readonly mutant: MutantInFile;
}

/** A request to run one test file without a mutant and collect its coverage. */
export interface Measurement {
  readonly kind: 'measurement';
  readonly test: TestToRun;
}

/**
 * Result of a trial. `spoilt` means that the failed test also fails without the mutant, because an earlier mutant left behind modified
 * state.
 */
export type TrialVerdict = 'killed' | 'survived' | 'spoilt';

/** Result of running a test file without a mutant. */
export interface Measured {
  readonly passed: boolean;
  /** True if the test file starts threads or processes. The mutant is not applied in these threads and processes. */
  readonly starts: boolean;
  /** Duration in milliseconds. */
  readonly duration: number;
  /** Coverage ranges by source file URL. */
  readonly scripts: readonly (readonly [url: string, ranges: readonly Range[]])[];
}

export type Request = Trial | Measurement;

export type Reply = TrialVerdict | Measured;
