/** Runs the tests of a package once without a mutant. */
import { globSync } from 'node:fs';
import { measureApart, type TestFile } from './coverage.ts';
import type { TestProcesses } from './in-process/test-processes.ts';
import { inTurn } from './in-turn.ts';

/** Timeout in milliseconds. It is generous because the machine may be busy. */
const timeout = 300_000;

/**
 * Measures all test files of a package. Sorts fast files first, because the first failure ends a run. Test files share a process if
 * possible.
 */
export async function measure(
  root: string,
  folder: string,
  jobs: number,
  processes: TestProcesses,
): Promise<TestFile[]> {
  const found: TestFile[] = [];
  await inTurn(globSync(`${folder}/test/**/*.test.ts`, { cwd: root }).toSorted(), jobs, async (path) => {
    const measured = await processes.use((beside) => beside.measure({ path, timeout }));
    if (measured?.passed === true && !measured.starts) {
      const scripts = new Map(measured.scripts.map(([url, ranges]) => [url, [ranges]]));
      found.push({ path, apart: false, duration: measured.duration, scripts });
    } else found.push(await measureApart(root, folder, { path, timeout }));
  });
  return found.toSorted((a, b) => a.duration - b.duration);
}
