/** Reads the regression tests of the OWASP Core Rule Set in go-ftw format (https://github.com/coreruleset/ftw-tests-schema). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Input {
  readonly method?: string;
  readonly uri?: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: string;
  readonly autocomplete_headers?: boolean;
  /** The complete request, encoded in Base64. */
  readonly encoded_request?: string;
}

export interface Output {
  readonly status?: number;
  readonly expect_error?: boolean;
  readonly log?: {
    readonly expect_ids?: readonly number[];
    readonly no_expect_ids?: readonly number[];
    readonly match_regex?: string;
    readonly no_match_regex?: string;
  };
}

export interface Test {
  /** Such as `942100-3`. */
  readonly id: string;
  readonly stages: readonly { readonly input: Input; readonly output: Output }[];
}

interface File {
  readonly rule_id?: number;
  readonly tests?: readonly {
    readonly test_id: number;
    readonly stages: readonly { readonly input: Input; readonly output: Output }[];
  }[];
}

export function readSuite(folder: string): Test[] {
  const files = globSync('*/*.yaml', { cwd: folder }).sort();
  return files.flatMap((name) => {
    // Some test files contain only comments.
    const file = parse(readFileSync(join(folder, name), 'utf8')) as File | null;
    const { rule_id: rule = 0, tests = [] } = file ?? {};
    return tests.map(({ test_id: test, stages }) => ({ id: `${rule}-${test}`, stages }));
  });
}
