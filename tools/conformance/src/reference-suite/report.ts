/** What a run of the suite tells, test by test, and its counts. */
import { expectedFailures, expectedReason } from './expected-failures.ts';
import type { TestResult } from './go-tests.ts';

/** Tells of tests as they end. */
export class Report {
  /** Whether a test failed that should not. */
  failed = false;
  readonly #verbose: boolean;
  readonly #counts = new Map<string, number>();

  /** `verbose`: whether what passes is told in full too. */
  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  /** Tells of a test that reached the server. */
  add(name: string, { outcome, output }: TestResult): void {
    const reason = outcome === 'failed' ? expectedReason(name, output) : null;
    const said = reason === null ? outcome : 'expected to fail';
    this.addOther(said);
    if (said === 'failed') this.failed = true;
    console.log(`${said.padEnd(16)} ${name}${reason === null ? '' : `: ${reason}`}`);
    if (said === 'passed' && expectedFailures.has(name))
      console.log('  passes by now: it can leave expected-failures.ts');
    if (said === 'failed' || this.#verbose) console.log(output.replace(/^/gm, '    '));
  }

  /** Counts a test that is not the server's. */
  addOther(said: string): void {
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  /** Tells of something that must not happen beside the tests. */
  addFault(said: string): void {
    this.failed = true;
    console.log(said);
  }

  /** One line with all counts. */
  get summary(): string {
    return [...this.#counts].map(([said, count]) => `${count} ${said}`).join(', ');
  }
}
