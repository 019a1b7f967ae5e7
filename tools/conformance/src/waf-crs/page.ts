/** The page docs/waf-crs.md. */

/** Reasons why tests fail, by test ID prefix. */
const reasons: readonly (readonly [string, string])[] = [
  ['920100-4', '`reverse_proxy` does not support CONNECT'],
  ['920100-5', '`reverse_proxy` does not support CONNECT'],
  ['920100-8', 'the test expects the server to reject a fragment in the request target; Sluice accepts it'],
  ['920270', 'the test expects the server itself to reject the request with 400'],
  ['920274', 'the test expects the server itself to reject the request with 400'],
  ['920280', 'Sluice itself rejects unsupported HTTP versions with 505'],
  ['920290', 'Sluice treats an empty Host field as missing'],
  ['920430', 'Sluice itself rejects unsupported HTTP versions with 505'],
  ['920610', 'the test expects the server to reject a fragment in the request target; Sluice accepts it'],
  ['920620', 'the test expects the server to join two Content-Type fields, as Apache httpd does'],
  ['922130', 'Coraza rejects the body with a message that differs from the expected message'],
  ['932207', 'the rules receive lowercase field names, but the test expects the original case in the log'],
  ['933110', 'by default, Sluice drops fields whose names contain an underscore'],
  ['933220', 'by default, Sluice drops fields whose names contain an underscore'],
  ['944140', 'by default, Sluice drops fields whose names contain an underscore'],
];

export interface Failure {
  readonly id: string;
  readonly problem: string;
}

/** Writes the page. */
export function pageOf(passed: number, all: number, failures: readonly Failure[]): string {
  const rows = failures.map(
    ({ id, problem }) => `| ${id} | ${problem} | ${reasons.find(([start]) => id.startsWith(start))?.[1] ?? 'open'} |`,
  );
  return [
    '# Core Rule Set tests',
    '',
    `The [OWASP Core Rule Set](https://coreruleset.org) has regression tests for its rules. When the test requests are sent through \`http.handlers.waf\` and \`reverse_proxy\`, ${passed} of ${all} tests pass (${((100 * passed) / all).toFixed(1)}%).`,
    'The rules run in detection mode at paranoia level 4, as the rule set requires for its tests. A test fails if a rule does not match as expected.',
    '',
    'The following command runs the tests. The command requires Go and uses it to download the tests. This repository does not contain any of these tests.',
    '',
    '```sh',
    'npm run waf-crs -- --write',
    '```',
    '',
    '## Failed tests',
    '',
    '| Test | Result | Reason |',
    '| ---- | ------ | ------ |',
    ...rows,
    '',
  ].join('\n');
}
