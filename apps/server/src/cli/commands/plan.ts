/** `sluice plan`: reports the changes that a configuration file would make to a running server, without applying them. */
import { writeFileSync } from 'node:fs';
import { messageOf, type Json } from '@sluice/base';
import { formatWarning, readIntended } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { readCaseText } from '../../test-cases/read-cases.ts';
import type { TestReport } from '../../test-cases/test-task.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { requireConfigFile } from '../../configuration/default-config.ts';
import { planJunit } from '../plan/plan-junit.ts';
import { planText, type PlannedChange } from '../plan/plan-text.ts';

/** Exit code if a test fails. If `--expect-same` is set, also used if requests would be handled differently. */
const differs = 1;

/** Exit code if nothing could be compared, because the configuration is invalid or the server is unreachable. */
const uncompared = 2;

export interface PlanOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly address?: string;
  /** Alias of `address`. */
  readonly against?: string;
  readonly expectSame?: boolean;
  readonly tests?: string;
  readonly shadow?: boolean;
  readonly requests?: string;
  readonly seconds?: string;
  readonly live?: boolean;
  readonly unsafe?: string;
  readonly json?: boolean;
  readonly junit?: string;
  /** Configuration file. */
  readonly argument?: string;
}

/**
 * Prints the plan. Returns exit code 1 if a test fails. If `--expect-same` is set, also returns 1 if any request is handled differently or
 * gets a different response. Otherwise, returns 0.
 */
export async function plan(options: PlanOptions): Promise<number> {
  const { expectSame = false, json = false, junit } = options;
  const change = await planned(options).catch((error: unknown) => {
    throw new CommandError(messageOf(error), error, uncompared);
  });
  for (const { message } of change.warnings ?? []) process.stderr.write(`warning: ${message}\n`);
  process.stdout.write(json ? `${JSON.stringify(change, null, 2)}\n` : planText(change));
  const { behavior, shadow, tests } = change;
  if (junit !== undefined && (behavior !== undefined || tests !== undefined))
    writeFileSync(junit, planJunit(change, expectSame));
  if (tests !== undefined && (tests.error !== null || tests.failed > 0)) return differs;
  if (!expectSame || !change.changed) return 0;
  if (behavior === undefined) throw new CommandError('the server did not compare requests', undefined, uncompared);
  const differences = behavior.different + behavior.undecided + behavior.not_compared + (shadow?.different ?? 0);
  return differences > 0 ? differs : 0;
}

async function planned(options: PlanOptions): Promise<PlannedChange> {
  const { config, adapter, address, against, argument } = options;
  const file = requireConfigFile('plan', config ?? argument, adapter);
  const { document, warnings } = await readIntended({ file, adapter }, standardRegistry);
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  const ask = async (path: string, body: Json): Promise<unknown> =>
    JSON.parse(
      await callAdmin({
        address: adminAddress(against ?? address, document),
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const own = options.tests === undefined ? null : await readCaseText(options.tests);
  const change = (await ask(`/load?${queryOf(options)}`, document)) as PlannedChange;
  if (own === null) return change;
  const tests = (await ask('/explain/tests', { tests: own.value, config: document })) as TestReport;
  const placed = tests.failures.map((failure) => {
    const { file, line } = own.placeOf(['cases', String(failure.index)]);
    return { ...failure, file, line };
  });
  return { ...change, tests: joined(change.tests, { ...tests, failures: placed }) };
}

/** Merges the results of the tests that policies require with the results of the client's own tests. */
function joined(required: TestReport | undefined, own: TestReport): TestReport {
  if (required === undefined) return own;
  const sum = (name: 'files' | 'cases' | 'passed' | 'failed' | 'skipped' | 'ms'): number => required[name] + own[name];
  return {
    files: sum('files'),
    cases: sum('cases'),
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: [...required.failures, ...own.failures],
    error: required.error ?? own.error,
    ms: sum('ms'),
  };
}

function queryOf({ shadow = false, requests, seconds, live = false, unsafe }: PlanOptions): string {
  const bounds = Object.entries({ requests, seconds, unsafe }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  if (!shadow && (live || bounds.length > 0))
    throw new CommandError('--requests, --seconds, --live and --unsafe require --shadow', undefined, uncompared);
  const words = new URLSearchParams([['dry_run', shadow ? 'shadow' : 'behavior'], ...bounds]);
  if (live) words.set('live', 'true');
  return words.toString();
}
