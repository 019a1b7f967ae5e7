/** Formats the comparison of two configurations as JUnit XML for continuous integration. Each group of requests is a test case. */
import { escapeXml } from '@sluice/base';
import { differenceText, type PlannedChange } from './plan-text.ts';

/**
 * Returns the JUnit report. If `failing` is true, differences are reported as failures, otherwise as skipped test cases with a message.
 * Failed tests are always failures.
 */
export function planJunit(
  { behavior, shadow, tests }: Pick<PlannedChange, 'behavior' | 'shadow' | 'tests'>,
  failing: boolean,
): string {
  const compared = [
    ...[...(behavior?.groups ?? []), ...(shadow?.groups ?? [])].map(({ summary, examples }) => ({
      name: summary,
      text: JSON.stringify(examples, null, 2),
    })),
    ...(behavior?.undecided_because ?? []).map(({ reason, count, example }) => ({
      name: `${count} requests could not be compared: ${reason}`,
      text: `${example.method} ${example.url}`,
    })),
  ];
  const failed = (tests?.failures ?? []).map(({ name, file = '', line = 0, differences }) => ({
    name: `${name} (${file}:${line})`,
    text: differences.map(differenceText).join('\n'),
    isFailure: true,
  }));
  if (tests !== undefined && tests.error !== null) failed.push({ name: 'tests', text: tests.error, isFailure: true });
  const cases = [...compared.map((each) => ({ ...each, isFailure: failing })), ...failed];
  const failures = cases.filter(({ isFailure }) => isFailure).length;
  const totals = `tests="${cases.length + (behavior === undefined ? 0 : 1)}" failures="${failures}" errors="0" skipped="${cases.length - failures}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice plan" ${totals}>`,
    `  <testsuite name="requests" ${totals}>`,
    ...(behavior === undefined
      ? []
      : [`    <testcase name="${behavior.same} requests are handled the same" classname="plan"/>`]),
    ...cases.flatMap(({ name, text, isFailure }) => [
      `    <testcase name="${escapeXml(name)}" classname="plan">`,
      isFailure
        ? `      <failure message="${escapeXml(name)}">${escapeXml(text)}</failure>`
        : `      <skipped message="${escapeXml(name)}"></skipped>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
