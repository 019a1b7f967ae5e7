/** The files that `sluice test` reads. */
import { readdirSync } from 'node:fs';
import { CommandError } from '../../failure.ts';
import { unreadable } from './exit-codes.ts';

/** What names of files of cases end with. */
const ending = /(?:^|\.)sluice-test\.(?:json5?|ya?ml)$/;

/** Those that are named, else those of the working folder. */
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
