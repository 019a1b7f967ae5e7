/**
 * Which test files execute a place of a source file. Each test file runs once without a mutant under V8's coverage; a mutant
 * then needs only the tests that come to its place.
 */
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isExecuted, type Range } from './executed.ts';
import type { TestToRun } from './in-process/messages.ts';
import { runTests } from './run-tests.ts';

/** What `NODE_V8_COVERAGE` writes for each thread of each process. */
interface Written {
  readonly result: readonly { readonly url: string; readonly functions: readonly { readonly ranges: Range[] }[] }[];
}

/** One test file of a package. */
export interface TestFile {
  readonly path: string;
  /** Whether it needs processes of its own: it starts threads or processes, or fails beside other tests. */
  readonly apart: boolean;
  /** How long it takes without a mutant, in milliseconds. */
  readonly duration: number;
  /** Per URL of a script: one list for each thread that loaded it. */
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

/** Runs a test file of a package by itself. Throws an error when it fails, as no mutant could be judged then. */
export async function measureApart(root: string, folder: string, test: TestToRun): Promise<TestFile> {
  const { path, timeout } = test;
  const prefix = `${pathToFileURL(join(root, folder, 'src')).href}/`;
  const coverage = mkdtempSync(join(tmpdir(), 'sluice-mutation-'));
  // A test may have a process give up its user, which then writes its coverage as well.
  chmodSync(coverage, 0o777);
  try {
    const begun = performance.now();
    const verdict = await runTests({ root, tests: [path], timeout, limit: 2 * timeout, coverage });
    if (verdict !== 'survived') throw new Error(`${path} fails without any mutation`);
    return { path, apart: true, duration: performance.now() - begun, scripts: readScripts(coverage, prefix) };
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

/**
 * The test files to run against a mutant at a place. All of them where none is seen to come there: threads and processes
 * that are stopped write no coverage.
 */
export function testsFor(tests: readonly TestFile[], url: string, offset: number): readonly TestFile[] {
  const found = tests.filter(({ scripts }) => (scripts.get(url) ?? []).some((ranges) => isExecuted(ranges, offset)));
  return found.length > 0 ? found : tests;
}
