/**
 * Finds the test files that execute a given offset of a source file. Each test file runs once without a mutant to collect V8 coverage. A
 * mutant then needs only the tests that reach it.
 */
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isExecuted, type Range } from './executed.ts';
import type { TestToRun } from './in-process/messages.ts';
import { runTests } from './run-tests.ts';

/** File format of `NODE_V8_COVERAGE`. Each thread of each process writes one file. */
interface Written {
  readonly result: readonly { readonly url: string; readonly functions: readonly { readonly ranges: Range[] }[] }[];
}

/** A test file of a package. */
export interface TestFile {
  readonly path: string;
  /**
   * True if the test file must run in a separate process: it starts threads or processes, or it fails when run together with other test
   * files.
   */
  readonly apart: boolean;
  /** Duration of the test file without a mutant, in milliseconds. */
  readonly duration: number;
  /** Coverage ranges by script URL, with one list per thread that loaded the script. */
  readonly scripts: ReadonlyMap<string, readonly (readonly Range[])[]>;
}

function readScripts(folder: string, prefix: string): Map<string, Range[][]> {
  const scripts = new Map<string, Range[][]>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Written;
    for (const { url, functions } of result) {
      if (!url.startsWith(prefix)) continue;
      const lists = scripts.get(url) ?? [];
      lists.push(functions.flatMap(({ ranges }) => ranges));
      scripts.set(url, lists);
    }
  }
  return scripts;
}

/** Runs one test file of a package in a separate process. Throws if a test fails, because the failure would hide the effect of mutants. */
export async function measureApart(root: string, folder: string, test: TestToRun): Promise<TestFile> {
  const { path, timeout } = test;
  const prefix = `${pathToFileURL(join(root, folder, 'src')).href}/`;
  const coverage = mkdtempSync(join(tmpdir(), 'sluice-mutation-'));
  // A test may start a process that drops root privileges. That process must still be able to write its coverage.
  chmodSync(coverage, 0o777);
  try {
    const begun = performance.now();
    const verdict = await runTests({ root, tests: [path], timeout, limit: 2 * timeout, coverage });
    if (verdict !== 'survived') throw new Error(`${path} fails without a mutation`);
    return { path, apart: true, duration: performance.now() - begun, scripts: readScripts(coverage, prefix) };
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

/**
 * Returns the test files to run for a mutant at an offset. Returns all files if none reaches the offset, because killed threads and
 * processes write no coverage.
 */
export function testsFor(tests: readonly TestFile[], url: string, offset: number): readonly TestFile[] {
  const found = tests.filter(({ scripts }) => (scripts.get(url) ?? []).some((ranges) => isExecuted(ranges, offset)));
  return found.length > 0 ? found : tests;
}
