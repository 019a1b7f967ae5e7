/** Prints the results of the test suite and their counts. */
import { expectedFailures, expectedReason } from './expected-failures.ts';
import type { TestResult } from './go-tests.ts';

/** Prints each result as soon as the test finishes. */
export class Report {
  failed = false;
  readonly #verbose: boolean;
  readonly #counts = new Map<string, number>();

  /** If `verbose` is true, the report includes the output of passed tests. */
  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  /** Prints the result of a test that reached the server. */
  add(name: string, { outcome, output }: TestResult): void {
    const reason = outcome === 'failed' ? expectedReason(name, output) : null;
    const said = reason === null ? outcome : 'expected to fail';
    this.addOther(said);
    if (said === 'failed') this.failed = true;
    console.log(`${said.padEnd(16)} ${name}${reason === null ? '' : `: ${reason}`}`);
    if (said === 'passed' && expectedFailures.has(name))
      console.log('  passes now: remove it from expected-failures.ts');
    if (said === 'failed' || this.#verbose) console.log(output.replace(/^/gm, '    '));
  }

  /** Counts a test that does not send requests to the server. */
  addOther(said: string): void {
    this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1);
  }

  /** Prints an unexpected event that occurred outside a test. */
  addFault(said: string): void {
    this.failed = true;
    console.log(said);
  }

  /** Summary line with all counts. */
  get summary(): string {
    return [...this.#counts].map(([said, count]) => `${count} ${said}`).join(', ');
  }
}
