/** Runs test case files one after another. */
import type { Registry } from '@sluice/registry';
import { Coverage, type CoverageReport } from './coverage.ts';
import { readCases, type TestCase, type TestedConfig } from '../../test-cases/read-cases.ts';
import { runFile, type FileResult } from '../../test-cases/run-file.ts';

export interface RunResult {
  readonly files: readonly FileResult[];
  /** Coverage reports, one per configuration. Empty if coverage is disabled. */
  readonly coverage: readonly CoverageReport[];
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly newRegistry: () => Promise<Registry>;
  /** True to measure coverage. */
  readonly coverage: boolean;
  readonly wanted: (testCase: TestCase) => boolean;
  /** Called before each file is read. */
  readonly reads?: (file: string) => void;
}

/** Runs test case files. Files with the same configuration share one coverage report. */
export async function runFiles(names: readonly string[], options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const { newRegistry, coverage, wanted, reads = () => {} } = options;
  const registry = await newRegistry();
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
    files.push(await runFile(read, { registry, newRegistry, coverageOf: coverage ? coverageOf : null, wanted, reads }));
  }
  return {
    files,
    coverage: [...counted.values()].map((each) => each.report()),
    milliseconds: performance.now() - startedAt,
  };
}
