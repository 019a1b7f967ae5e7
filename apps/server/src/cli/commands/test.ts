/** `sluice test`: plays requests to a configuration, and compares what becomes of them with what is expected. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@sluice/base';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { WatchedFiles } from '../../process/watched-files.ts';
import { coverageText } from '../test/coverage.ts';
import { failed, unreadable } from '../test/exit-codes.ts';
import { caseFilesOf } from '../test/find-case-files.ts';
import { junitReport } from '../test/junit-report.ts';
import { runFiles, type RunResult } from '../test/run-files.ts';
import { tapReport } from '../test/tap-report.ts';
import { textReport } from '../test/text-report.ts';

/** Options of `test`. */
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
  /** The files. */
  readonly arguments?: readonly string[];
}

/** Runs the cases. 0 if all pass, 1 if one fails or too little is covered, 2 if cases or configuration cannot be read. */
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

/** Between two looks at the files, in milliseconds. */
const watchInterval = 300;

/** Runs now, and whenever a file that was read is not as it was then. What cannot be read is told, and waited for. */
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

/** Prints what came of it, and gives the exit code. */
function report({ files, coverage, milliseconds }: RunResult, options: TestOptions): number {
  const { verbose, tap, junit, coverage: shown, coverageJson, coverageMin = 0 } = options;
  const colour = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  if (files.every(({ results }) => results.length === 0))
    throw new CommandError('no test case matches this name', undefined, unreadable);
  const text = tap === true ? tapReport(files) : textReport(files, { colour, verbose: verbose === true, milliseconds });
  // Coverage is a comment of TAP.
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
