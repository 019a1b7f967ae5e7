/**
 * Which test files execute a place of a source file. Each test file runs once by itself under V8's coverage; a mutant then
 * needs only the tests that come to its place.
 */
import { chmodSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTurn } from './in-turn.ts';
import { runTests } from './run-tests.ts';

/** How often V8 counted a part of a script. The smallest range that holds a place is the one that counts. */
export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** What `NODE_V8_COVERAGE` writes for each thread of each process. */
interface Written {
  readonly result: readonly { readonly url: string; readonly functions: readonly { readonly ranges: Range[] }[] }[];
}

/** One test file of a package. */
export interface TestFile {
  readonly path: string;
  /** How long it takes without a mutant, in milliseconds. */
  readonly duration: number;
  /** Per URL of a script: one list for each thread that loaded it. */
  readonly scripts: ReadonlyMap<string, readonly (readonly Range[])[]>;
}

/** Whether a place was executed. */
export function isExecuted(ranges: readonly Range[], offset: number): boolean {
  let innermost: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    const width = range.endOffset - range.startOffset;
    if (innermost === undefined || width <= innermost.endOffset - innermost.startOffset) innermost = range;
  }
  return innermost !== undefined && innermost.count > 0;
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

/** Runs each test file of a package by itself. Throws an error when one fails, as no mutant could be judged then. */
export async function measure(root: string, folder: string, jobs: number): Promise<TestFile[]> {
  const prefix = `${pathToFileURL(join(root, folder, 'src')).href}/`;
  const measured: TestFile[] = [];
  await inTurn(globSync(`${folder}/test/**/*.test.ts`, { cwd: root }).toSorted(), jobs, async (path) => {
    const coverage = mkdtempSync(join(tmpdir(), 'sluice-mutation-'));
    // A test may have a process give up its user, which then writes its coverage as well.
    chmodSync(coverage, 0o777);
    try {
      const begun = performance.now();
      const verdict = await runTests({ root, tests: [path], limit: 300_000, coverage });
      if (verdict !== 'survived') throw new Error(`${path} fails without any mutation`);
      measured.push({ path, duration: performance.now() - begun, scripts: readScripts(coverage, prefix) });
    } finally {
      rmSync(coverage, { recursive: true, force: true });
    }
  });
  // Quick ones first: the first failure ends the run.
  return measured.toSorted((a, b) => a.duration - b.duration);
}

/**
 * The test files to run against a mutant at a place. All of them where none is seen to come there: threads and processes
 * that are stopped write no coverage.
 */
export function testsFor(tests: readonly TestFile[], url: string, offset: number): readonly TestFile[] {
  const found = tests.filter(({ scripts }) => (scripts.get(url) ?? []).some((ranges) => isExecuted(ranges, offset)));
  return found.length > 0 ? found : tests;
}
