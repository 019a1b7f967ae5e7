/** The files of cases as they are played: with what our server says beside what the reference does left out of the comparison. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Fields that our server alone adds, each with its reason in docs/differences.md. */
const fieldsOfOurs: readonly string[] = ['sluice-error'];

interface Case {
  readonly ignore?: readonly string[];
}

/** Calls `play` with copies of the files, which have the names of the files, and removes them after that. */
export function withPlayedCases<T>(files: readonly string[], play: (copies: readonly string[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cases-'));
  try {
    return play(
      files.map((file) => {
        const copy = join(folder, basename(file));
        const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[];
        const played = cases.map((each) => ({ ...each, ignore: [...(each.ignore ?? []), ...fieldsOfOurs] }));
        writeFileSync(copy, JSON.stringify(played));
        return copy;
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
