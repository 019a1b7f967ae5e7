/** Formats test results as JUnit XML for continuous integration. */
import { escapeXml } from '@sluice/base';
import { caseText } from '../../test-cases/read-cases.ts';
import type { CaseResult, FileResult } from '../../test-cases/run-file.ts';

/** Returns the JUnit report, with one test suite per file. */
export function junitReport(files: readonly FileResult[]): string {
  const all = files.flatMap(({ results }) => results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice test" ${totals(all)}>`,
    ...files.flatMap(({ file, results }) => [
      `  <testsuite name="${escapeXml(file)}" ${totals(results)}>`,
      ...results.flatMap((result) => caseLines(result, file)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(results: readonly CaseResult[]): string {
  const count = (outcome: CaseResult['outcome']): number => results.filter((each) => each.outcome === outcome).length;
  const time = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return `tests="${results.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${seconds(time)}"`;
}

function caseLines(
  { testCase, outcome, differences, summary, milliseconds }: CaseResult,
  file: string,
): readonly string[] {
  const { line } = testCase.place;
  const start = `    <testcase name="${escapeXml(testCase.name)}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${line}" time="${seconds(milliseconds)}"`;
  if (outcome === 'passed') return [`${start}/>`];
  if (outcome === 'skipped')
    return [`${start}>`, `      <skipped message="${escapeXml(testCase.skip ?? '')}"/>`, '    </testcase>'];
  const [first] = differences;
  const message = first === undefined ? '' : `${first.what}: expected ${first.expected}, got ${first.got}`;
  const text = differences.map(({ what, expected, got }) => `${what}\n- expected ${expected}\n+ got ${got}`);
  const body = [caseText(testCase), ...text, ...(summary === '' ? [] : [`got ${summary}`])].join('\n');
  return [
    `${start}>`,
    `      <failure type="difference" message="${escapeXml(message)}">${escapeXml(body)}</failure>`,
    '    </testcase>',
  ];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
