/** `sluice test`: plays requests to a configuration, and compares what becomes of them with what is expected. */
import { messageOf } from '@sluice/base';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { failed, unreadable } from '../test/exit-codes.ts';
import { caseFilesOf } from '../test/find-case-files.ts';
import { readCases } from '../test/read-cases.ts';
import { runFile, type FileResult } from '../test/run-file.ts';
import { textReport } from '../test/text-report.ts';

/** Options of `test`. */
export interface TestOptions {
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly filter?: string;
  readonly verbose?: boolean;
  /** The files. */
  readonly arguments?: readonly string[];
}

/** Runs the cases. 0 if all pass, 1 if one fails, 2 if the cases or the configuration cannot be read. */
export async function test(options: TestOptions): Promise<number> {
  try {
    return await run(options);
  } catch (error) {
    throw error instanceof CommandError && error.exitCode === unreadable
      ? error
      : new CommandError(messageOf(error), error, unreadable);
  }
}

async function run({ envfile, module, filter = '', verbose, arguments: named = [] }: TestOptions): Promise<number> {
  loadEnvFiles(envfile ?? []);
  const startedAt = performance.now();
  const registry = await standardRegistry(module);
  const files: FileResult[] = [];
  for (const file of caseFilesOf(named)) {
    const read = await readCases(file);
    files.push(
      await runFile(read, {
        registry,
        seen: { reached: () => {}, matched: () => {} },
        wanted: ({ name }) => name.includes(filter),
      }),
    );
  }
  const colour = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  process.stdout.write(
    textReport(files, { colour, verbose: verbose === true, milliseconds: performance.now() - startedAt }),
  );
  return files.some(({ results }) => results.some(({ outcome }) => outcome === 'failed')) ? failed : 0;
}
