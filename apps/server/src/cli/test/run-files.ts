/** Runs files of cases one after the other. */
import type { Registry } from '@sluice/registry';
import { Coverage, type CoverageReport } from './coverage.ts';
import { readCases, type TestCase, type TestedConfig } from './read-cases.ts';
import { runFile, type FileResult } from './run-file.ts';

/** What came of a run. */
export interface RunResult {
  readonly files: readonly FileResult[];
  /** By configuration; empty where it is not counted. */
  readonly coverage: readonly CoverageReport[];
  readonly milliseconds: number;
}

/** What they are run with. */
export interface RunOptions {
  readonly registry: Registry;
  /** Whether to count what is covered. */
  readonly coverage: boolean;
  readonly wanted: (testCase: TestCase) => boolean;
  /** Told of each file that is about to be read. */
  readonly reads?: (file: string) => void;
}

/** Runs them. Files about one configuration count what they cover of it together. */
export async function runFiles(names: readonly string[], options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const { registry, coverage, wanted, reads = () => {} } = options;
  const counted = new Map<string, Coverage>();
  const files: FileResult[] = [];
  for (const name of names) {
    reads(name);
    const read = await readCases(name);
    const coverageOf = (config: TestedConfig, tested: ConstructorParameters<typeof Coverage>[1]): Coverage => {
      const key = 'file' in config ? config.file : `the configuration in ${name}`;
      const known = counted.get(key) ?? new Coverage(key, tested);
      counted.set(key, known);
      return known;
    };
    files.push(await runFile(read, { registry, coverageOf: coverage ? coverageOf : null, wanted, reads }));
  }
  return {
    files,
    coverage: [...counted.values()].map((each) => each.report()),
    milliseconds: performance.now() - startedAt,
  };
}
