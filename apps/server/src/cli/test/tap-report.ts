/** Formats test results as TAP 14 (https://testanything.org/tap-version-14-specification.html). */
import { caseText } from '../../test-cases/read-cases.ts';
import type { CaseResult, FileResult } from '../../test-cases/run-file.ts';

/** Returns the TAP report. Each case has one line, followed by its differences. */
export function tapReport(files: readonly FileResult[]): string {
  const results = files.flatMap(({ results: each }) => each);
  return `${['TAP version 14', `1..${results.length}`, ...results.flatMap(caseLines)].join('\n')}\n`;
}

function caseLines(
  { testCase, outcome, differences, summary, milliseconds }: CaseResult,
  index: number,
): readonly string[] {
  const title = `${outcome === 'failed' ? 'not ok' : 'ok'} ${index + 1} - ${described(testCase.name)}`;
  if (outcome === 'skipped') return [`${title} # SKIP ${described(testCase.skip ?? '')}`];
  const place = `  at: ${JSON.stringify(caseText(testCase))}`;
  const time = `  duration_ms: ${Math.round(milliseconds)}`;
  if (outcome === 'passed') return [title, '  ---', place, time, '  ...'];
  const problems = differences.flatMap(({ what, expected, got }) => [
    `    - what: ${JSON.stringify(what)}`,
    `      expected: ${JSON.stringify(expected)}`,
    `      got: ${JSON.stringify(got)}`,
  ]);
  return [title, '  ---', place, time, '  differences:', ...problems, `  got: ${JSON.stringify(summary)}`, '  ...'];
}

/** Escapes special characters and joins lines. */
function described(text: string): string {
  return text.replaceAll(/[\\#]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}
