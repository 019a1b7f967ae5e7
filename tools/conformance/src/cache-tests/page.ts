/** The page docs/cache-tests.md. */
import type { Counts } from './counts.ts';

const titles: Readonly<Record<string, string>> = {
  apache: 'Apache httpd',
  caddy: 'Caddy with its plugin',
  fastly: 'Fastly',
  haproxy: 'HAProxy',
  nginx: 'nginx',
  squid: 'Squid',
  trafficserver: 'Apache Traffic Server',
  varnish: 'Varnish',
};

/** Reasons why required and optimal tests fail, by test ID prefix. */
const reasons: readonly (readonly [string, string])[] = [
  ['headers-store-Transfer-Encoding', 'the proxy rejects the malformed response of this test'],
  ['method-POST', 'only responses to GET are stored'],
  ['vary-normalise-lang', 'the upstream response may depend on the order of languages'],
  ['conditional-lm-fresh-no-lm', 'Sluice uses the generation time of a response if Last-Modified is missing'],
  ['partial-store', 'partial responses are not stored'],
];

/** Writes the page. */
export function pageOf(own: Counts, others: ReadonlyMap<string, Counts>): string {
  const row = (title: string, { kinds }: Counts): string[] => [
    title,
    ...['required', 'optimal', 'check'].map((kind) => String(kinds.get(kind)?.passed ?? 0)),
  ];
  const rows = [...others]
    .filter(([name]) => titles[name] !== undefined)
    .map(([name, counts]) => row(titles[name] as string, counts))
    .sort((a, b) => Number(b[1]) - Number(a[1]) || Number(b[2]) - Number(a[2]));
  const all = (kind: string): number => own.kinds.get(kind)?.all ?? 0;
  const failed = own.failed.filter(({ kind }) => kind !== 'check');
  return [
    '# HTTP cache tests',
    '',
    'The [tests for HTTP caches](https://cache-tests.fyi) examine how caches implement the specifications. _Required_ tests verify requirements of the RFCs, and _optimal_ tests verify',
    'efficient behavior that the RFCs permit. _Checks_ only show how a cache behaves. The test suite itself provides the results of the other caches.',
    '',
    'Run the suite from a checkout of `http-tests/cache-tests` with its dependencies installed. This repository does not contain any part of the suite.',
    '',
    '```sh',
    'npm run cache-tests -- --suite /path/to/cache-tests --write',
    '```',
    '',
    ...table(
      ['Cache', `Required (${all('required')})`, `Optimal (${all('optimal')})`, `Checks (${all('check')})`],
      [row('Sluice', own), ...rows],
    ),
    '',
    '## Failed required and optimal tests',
    '',
    ...table(
      ['Test', 'Kind', 'Reason'],
      failed.map(({ id, kind }) => [`\`${id}\``, kind, reasons.find(([start]) => id.startsWith(start))?.[1] ?? 'open']),
    ),
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((each, i) => Math.max(each.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}
