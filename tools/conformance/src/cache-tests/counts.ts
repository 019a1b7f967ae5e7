/** Counts the results of the HTTP cache tests by kind. */

/** A group of tests, in the format of the test suite. */
export interface Suite {
  readonly tests: readonly {
    readonly id: string;
    /** Required if missing. */
    readonly kind?: string;
    readonly browser_only?: boolean;
  }[];
}

/** Test results by test ID: true, or the name and message of an error. */
export type Results = Readonly<Record<string, true | readonly [string, string]>>;

/** Counted results. */
export interface Counts {
  readonly kinds: ReadonlyMap<string, { passed: number; all: number }>;
  readonly failed: readonly { readonly id: string; readonly kind: string; readonly reason: string }[];
}

/** Counts the passed tests among those that apply to shared caches. */
export function countPasses(suites: readonly Suite[], results: Results): Counts {
  const kinds = new Map<string, { passed: number; all: number }>();
  const failed: { id: string; kind: string; reason: string }[] = [];
  for (const { tests } of suites)
    for (const { id, kind = 'required', browser_only: isForBrowsers = false } of tests) {
      if (isForBrowsers) continue;
      const count = kinds.get(kind) ?? { passed: 0, all: 0 };
      kinds.set(kind, count);
      count.all++;
      const result = results[id];
      if (result === true) count.passed++;
      else failed.push({ id, kind, reason: result?.[1] ?? 'not run' });
    }
  return { kinds, failed };
}
