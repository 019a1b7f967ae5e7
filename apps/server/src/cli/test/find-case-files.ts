/** Finds the test case files for `sluice test`. */
import { readdirSync } from 'node:fs';
import { CommandError } from '../../failure.ts';
import { unreadable } from '../../test-cases/exit-codes.ts';

/** Pattern for the names of test case files. */
const ending = /(?:^|\.)sluice-test\.(?:json5?|ya?ml)$/;

/** Returns the given files. If none are given, returns the test case files in the working directory. */
export function caseFilesOf(named: readonly string[]): readonly string[] {
  if (named.length > 0) return named;
  const found = readdirSync('.')
    .filter((name) => ending.test(name))
    .toSorted();
  if (found.length > 0) return found;
  throw new CommandError(
    'test requires a test case file: pass its name, or name it sluice-test.json5, .yaml or similar',
    undefined,
    unreadable,
  );
}
