/** What the tool and the process that runs tests for it send to each other. */
import type { Range } from '../executed.ts';
import type { MutantInFile } from '../load-mutant.ts';

/** A test file. */
export interface TestToRun {
  readonly path: string;
  /** When one of its tests has failed by waiting, in milliseconds. */
  readonly timeout: number;
}

/** Runs test files in their order until one fails. */
export interface Trial {
  readonly kind: 'trial';
  readonly tests: readonly TestToRun[];
  readonly mutant: MutantInFile;
}

/** Runs one test file without a mutant, and counts what it executes. */
export interface Measurement {
  readonly kind: 'measurement';
  readonly test: TestToRun;
}

/** `spoilt`: a test failed that fails without the mutant as well, by what an earlier mutant has left behind. */
export type TrialVerdict = 'killed' | 'survived' | 'spoilt';

/** What a test file does without a mutant. */
export interface Measured {
  readonly passed: boolean;
  /** Whether it starts threads or processes; they do not have the mutant of this one. */
  readonly starts: boolean;
  /** In milliseconds. */
  readonly duration: number;
  /** Per URL of a source file of the package. */
  readonly scripts: readonly (readonly [url: string, ranges: readonly Range[]])[];
}

/** To the process. */
export type Request = Trial | Measurement;

/** From the process, once for each request. */
export type Reply = TrialVerdict | Measured;
