/** Formats test results as text. */
import type { CaseResult, FileResult } from '../../test-cases/run-file.ts';
import type { Difference } from '../../test-cases/expectations.ts';
import { caseText } from '../../test-cases/read-cases.ts';

export interface TextOptions {
  readonly color: boolean;
  /** True to include passed cases in the report. */
  readonly verbose: boolean;
  readonly milliseconds: number;
}

type Paint = (text: string) => string;

/** Returns the text report, which lists failed cases and a summary. */
export function textReport(files: readonly FileResult[], { color, verbose, milliseconds }: TextOptions): string {
  const paint =
    (code: number): Paint =>
    (text) =>
      color ? `\x1b[${code}m${text}\x1b[0m` : text;
  const [red, green, yellow, dim] = [paint(31), paint(32), paint(33), paint(2)] as [Paint, Paint, Paint, Paint];
  const lines = files.flatMap(({ results }) =>
    results.flatMap((result) => {
      const { testCase, outcome, differences, summary } = result;
      const title = `${testCase.name} ${dim(`(${caseText(testCase)})`)}`;
      if (outcome === 'failed')
        return [
          `${red('✗')} ${title}`,
          ...differences.flatMap((each) => differenceLines(each, red, green)),
          ...(summary === '' ? [] : [dim(`    got ${summary}`)]),
          '',
        ];
      if (!verbose) return [];
      return [
        outcome === 'passed' ? `${green('✓')} ${title}` : `${yellow('-')} ${title}: skipped, ${testCase.skip ?? ''}`,
      ];
    }),
  );
  return `${[
    ...lines,
    summary(
      files.flatMap(({ results }) => results),
      milliseconds,
    ),
  ].join('\n')}\n`;
}

/** Formats a difference. Short values are placed on one line, and long values on separate lines. */
function differenceLines({ what, expected, got }: Difference, red: Paint, green: Paint): readonly string[] {
  if (!/\n/.test(expected + got) && expected.length + got.length < 100)
    return [`    ${what}: expected ${green(expected)}, got ${red(got)}`];
  const marked = (text: string, mark: string, paint: Paint): string[] =>
    text.split('\n').map((line) => `      ${paint(`${mark} ${line}`)}`);
  return [`    ${what}:`, ...marked(expected, '- expected', green), ...marked(got, '+ got', red)];
}

function summary(results: readonly CaseResult[], milliseconds: number): string {
  const count = (outcome: CaseResult['outcome']): number => results.filter((each) => each.outcome === outcome).length;
  const parts = (['passed', 'failed', 'skipped'] as const)
    .map((outcome) => [count(outcome), outcome] as const)
    .filter(([number, outcome]) => number > 0 || outcome === 'passed')
    .map(([number, outcome]) => `${number} ${outcome}`);
  return `${results.length} ${results.length === 1 ? 'case' : 'cases'}: ${parts.join(', ')} (${Math.round(milliseconds)} ms)`;
}
