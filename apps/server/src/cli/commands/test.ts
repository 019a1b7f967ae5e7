/** `sluice test`: sends test requests through a configuration, and compares the results with expectations. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@sluice/base';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { WatchedFiles } from '../../process/watched-files.ts';
import { coverageText } from '../test/coverage.ts';
import { failed, unreadable } from '../../test-cases/exit-codes.ts';
import { caseFilesOf } from '../test/find-case-files.ts';
import { junitReport } from '../test/junit-report.ts';
import { runFiles, type RunResult } from '../test/run-files.ts';
import { tapReport } from '../test/tap-report.ts';
import { textReport } from '../test/text-report.ts';

export interface TestOptions {
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly filter?: string;
  readonly verbose?: boolean;
  readonly watch?: boolean;
  readonly tap?: boolean;
  readonly junit?: string;
  readonly coverage?: boolean;
  readonly coverageJson?: string;
  readonly coverageMin?: number;
  readonly arguments?: readonly string[];
}

/**
 * Runs the test cases. Returns exit code 0 if all pass, and 1 if a case fails or the coverage is too low. Returns 2 if the test cases or
 * the configuration cannot be read.
 */
export async function test(options: TestOptions): Promise<number> {
  try {
    loadEnvFiles(options.envfile ?? []);
    return options.watch === true ? await runAgain(options) : report(await runOnce(options), options);
  } catch (error) {
    throw error instanceof CommandError && error.exitCode === unreadable
      ? error
      : new CommandError(messageOf(error), error, unreadable);
  }
}

async function runOnce(options: TestOptions, reads?: (file: string) => void): Promise<RunResult> {
  const { module, filter = '', arguments: named = [], coverage, coverageJson, coverageMin } = options;
  return runFiles(caseFilesOf(named), {
    newRegistry: () => standardRegistry(module),
    coverage: coverage === true || coverageJson !== undefined || coverageMin !== undefined,
    wanted: ({ name }) => name.includes(filter),
    ...(reads === undefined ? {} : { reads }),
  });
}

/** Polling interval for file changes, in milliseconds. */
const watchInterval = 300;

/** Runs the test cases immediately, and again whenever a file changes. If a file cannot be read, prints the error and waits for a change. */
async function runAgain(options: TestOptions): Promise<never> {
  const files = new WatchedFiles();
  for (;;) {
    files.clear();
    try {
      report(await runOnce(options, (file) => files.note(file)), options);
    } catch (error) {
      process.stdout.write(`${messageOf(error)}\n`);
    }
    process.stdout.write('waiting for changes\n');
    do await sleep(watchInterval);
    while (!files.changed);
  }
}

/** Prints the test results and returns the exit code. */
function report({ files, coverage, milliseconds }: RunResult, options: TestOptions): number {
  const { verbose, tap, junit, coverage: shown, coverageJson, coverageMin = 0 } = options;
  const color = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  if (files.every(({ results }) => results.length === 0))
    throw new CommandError('no test case name contains the string in --filter', undefined, unreadable);
  const text = tap === true ? tapReport(files) : textReport(files, { color, verbose: verbose === true, milliseconds });
  // In TAP output, print the coverage as a comment.
  const covered = shown === true ? coverage.map(coverageText).join('') : '';
  process.stdout.write(text + (tap === true ? covered.replaceAll(/^(?=.)/gm, '# ') : covered));
  if (junit !== undefined) writeFileSync(junit, junitReport(files));
  if (coverageJson !== undefined) writeFileSync(coverageJson, `${JSON.stringify(coverage, null, 2)}\n`);
  const low = coverage.filter(({ percent }) => percent < coverageMin);
  for (const { config, percent } of low)
    process.stderr.write(`coverage of ${config} is ${percent} %, below ${coverageMin} %\n`);
  const hasFailed = files.some(({ results }) => results.some(({ outcome }) => outcome === 'failed'));
  return hasFailed || low.length > 0 ? failed : 0;
}
