/** The page docs/waf-crs.md. */

/** Reasons for failures, by the beginning of the test's ID. */
const reasons: readonly (readonly [string, string])[] = [
  ['920100-4', '`reverse_proxy` does not support CONNECT'],
  ['920100-5', '`reverse_proxy` does not support CONNECT'],
  ['920100-8', 'the test expects that the server rejects a fragment in the target; Sluice accepts it'],
  ['920270', 'the test expects that the server itself rejects the request with 400'],
  ['920274', 'the test expects that the server itself rejects the request with 400'],
  ['920280', 'Sluice itself rejects other versions of HTTP, with 505'],
  ['920290', 'Sluice treats an empty Host field as a missing one'],
  ['920430', 'Sluice itself rejects other versions of HTTP, with 505'],
  ['920610', 'the test expects that the server rejects a fragment in the target; Sluice accepts it'],
  ['920620', 'the test expects that the server joins two Content-Type fields, as Apache httpd does'],
  ['922130', 'Coraza rejects such a body with another message than the test expects'],
  ['932207', 'the rules get names of fields in lowercase, and the test expects the original case in the log'],
  ['933110', 'Sluice drops fields whose names contain an underscore by default'],
  ['933220', 'Sluice drops fields whose names contain an underscore by default'],
  ['944140', 'Sluice drops fields whose names contain an underscore by default'],
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
    `The [OWASP Core Rule Set](https://coreruleset.org) has regression tests for its rules. Through \`http.handlers.waf\` and \`reverse_proxy\`, ${passed} of ${all} pass (${((100 * passed) / all).toFixed(1)} %).`,
    'The rules run in detection mode at paranoia level 4, as the rule set prescribes for its tests. A test fails if a rule does not match as expected.',
    '',
    'The command needs Go, which also downloads the tests. The repository contains no part of them.',
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
