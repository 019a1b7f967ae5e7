/** Formats a comparison as JUnit XML for continuous integration: one test case per group of requests. */
import { escapeXml } from '@sluice/base';
import type { BehaviorReport, ShadowReport } from '@sluice/http-analysis';

/** Returns the report. `failing`: true if differences are failures; otherwise they are skipped test cases with a message. */
export function planJunit(
  { groups, undecided_because, same }: BehaviorReport,
  shadow: ShadowReport | undefined,
  failing: boolean,
): string {
  const tag = failing ? 'failure' : 'skipped';
  const cases = [
    ...[...groups, ...(shadow?.groups ?? [])].map(({ summary, examples }) => ({
      name: summary,
      text: JSON.stringify(examples, null, 2),
    })),
    ...undecided_because.map(({ reason, count, example }) => ({
      name: `${count} requests could not be compared: ${reason}`,
      text: `${example.method} ${example.url}`,
    })),
  ];
  const totals = `tests="${cases.length + 1}" failures="${failing ? cases.length : 0}" errors="0" skipped="${failing ? 0 : cases.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice plan" ${totals}>`,
    `  <testsuite name="requests" ${totals}>`,
    `    <testcase name="${same} requests are handled the same" classname="plan"/>`,
    ...cases.flatMap(({ name, text }) => [
      `    <testcase name="${escapeXml(name)}" classname="plan">`,
      `      <${tag} message="${escapeXml(name)}">${failing ? escapeXml(text) : ''}</${tag}>`,
      '    </testcase>',
    ]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
