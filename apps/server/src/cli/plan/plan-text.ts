/** Formats the result of a dry run for terminals. */
import type { BehaviorReport, ShadowReport } from '@sluice/http-analysis';
import type { TestReport } from '../../test-cases/test-task.ts';

/** Result of a dry run with `?dry_run=behavior`. */
export interface PlannedChange {
  readonly changed: boolean;
  readonly patch: readonly { readonly op: string; readonly path: string }[];
  readonly counts: Readonly<Record<'kept' | 'rebuilt' | 'started' | 'stopped', number>>;
  readonly warnings?: readonly { readonly message: string }[];
  /** Comparison of requests. Absent if the server does not compare requests, or if the token cannot read them. */
  readonly behavior?: BehaviorReport;
  /** Comparison of real responses. Absent unless requested. */
  readonly shadow?: ShadowReport;
  /**
   * Results of the tests that policies require and of the tests in `--tests`. Absent if there are none, or if the token cannot read the
   * results.
   */
  readonly tests?: TestReport;
}

/** Maximum number of edits to print. */
const maxEdits = 20;

/** Returns the report. It lists edits, modules, requests that are handled differently, and requests that could not be compared. */
export function planText({ changed, patch, counts, behavior, shadow, tests }: PlannedChange): string {
  const tested = tests === undefined ? [] : testLines(tests);
  if (!changed) return `${['The configuration is unchanged.', ...tested].join('\n')}\n`;
  const lines = patch.slice(0, maxEdits).map(({ op, path }) => `  ${op} ${path}`);
  if (patch.length > maxEdits) lines.push(`  and ${patch.length - maxEdits} more changes`);
  const { kept, rebuilt, started, stopped } = counts;
  lines.push('', `Modules: ${started} started, ${rebuilt} rebuilt, ${stopped} stopped, ${kept} kept.`);
  if (behavior === undefined) lines.push('The server did not compare requests.');
  else lines.push(...behaviorLines(behavior));
  if (shadow !== undefined) lines.push(...shadowLines(shadow));
  lines.push(...tested);
  return `${lines.join('\n')}\n`;
}

function behaviorLines(report: BehaviorReport): string[] {
  const { recorded, generated, same, different, undecided, not_compared: left, ms } = report;
  const lines = [
    `Requests: ${recorded} recorded and ${generated} generated, compared in ${(ms / 1000).toFixed(1)} s: ${same} the same, ${different} different, ${undecided} undecided.`,
  ];
  if (left > 0) lines.push(`${left} requests were not compared, because of the time limit`);
  lines.push(...groupLines(report));
  for (const { reason, count, example } of report.undecided_because)
    lines.push('', `${count} undecided: ${reason}`, `  example: ${example.method} ${example.url}`);
  return lines;
}

function testLines({ cases, passed, failed, skipped, failures, error }: TestReport): string[] {
  const lines = ['', `Tests: ${cases}: ${passed} passed, ${failed} failed, ${skipped} skipped.`];
  if (error !== null) lines.push(`Not all tests could run: ${error}`);
  for (const { name, file = '', line = 0, differences } of failures)
    lines.push('', `${name} (${file}:${line})`, ...differences.map((each) => `  ${differenceText(each)}`));
  return lines;
}

/** Formats a failed expectation of a test. */
export function differenceText({ what, expected, got }: TestReport['failures'][number]['differences'][number]): string {
  return `${what}: expected ${expected}${got === undefined ? '' : `, got ${got}`}`;
}

function groupLines({ groups, more_groups: more }: Pick<BehaviorReport, 'groups' | 'more_groups'>): string[] {
  const lines: string[] = [];
  for (const { summary, route_before: before, route_after: after, examples } of groups) {
    lines.push('', summary);
    if (before !== null || after !== null) lines.push(`  route: ${before ?? 'none'} → ${after ?? 'none'}`);
    const [example] = examples;
    if (example !== undefined) lines.push(`  example: ${exampleText(example)}`);
  }
  if (more > 0) lines.push('', `and ${more} more groups; use --json for all details`);
  return lines;
}

function shadowLines(report: ShadowReport): string[] {
  const { recorded, live, same, different, unsteady, not_replayed: left, bypassed, noise, ms } = report;
  const { before, after } = report.latency_ms;
  const lines = [
    '',
    `Responses: ${recorded} recorded and ${live} live requests, replayed in ${(ms / 1000).toFixed(1)} s: ${same} the same, ${different} different, ${unsteady} intermittently different.`,
    `Latency: p50 ${before.p50} ms → ${after.p50} ms, p90 ${before.p90} ms → ${after.p90} ms, p99 ${before.p99} ms → ${after.p99} ms.`,
  ];
  if (left > 0) lines.push(`${left} requests were not replayed, because of the time limit`);
  if (bypassed.length > 0) lines.push(`Bypassed: ${bypassed.join(', ')}.`);
  if (noise.length > 0) lines.push(`Ignored because they vary: ${noise.map(({ part }) => part).join(', ')}.`);
  lines.push(...groupLines(report));
  for (const { reason, count, example } of report.left_out)
    lines.push('', `${count} not replayed: ${reason}`, `  example: ${example.method} ${example.url}`);
  return lines;
}

/** Example request of a group, with its results. */
interface Example {
  readonly request: { readonly method: string; readonly url: string };
  readonly before: Result;
  readonly after: Result;
}

interface Result {
  readonly status: number;
  readonly upstream: string | null;
}

function exampleText(example: BehaviorReport['groups'][number]['examples'][number]): string {
  const { request, before, after } = example as unknown as Example;
  const shown = ({ status, upstream }: Result): string =>
    `${status === 0 ? 'no response' : status}${upstream === null ? '' : ` from ${upstream}`}`;
  return `${request.method} ${request.url}: ${shown(before)} → ${shown(after)}`;
}
