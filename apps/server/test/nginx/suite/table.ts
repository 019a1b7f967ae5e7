/** Generates docs/nginx-suite.md from the results of nginx's test suite. */
import type { FileResult } from './play.ts';
import { reasonFor } from './reasons.ts';

/** Results of a test file for nginx and Sluice. `ours` is `null` if nginx skips the file. */
interface Both {
  readonly theirs: FileResult;
  readonly ours: FileResult | null;
}

/** Patterns for files that test unsupported features, by feature. */
const features: Readonly<Record<string, RegExp>> = {
  'mail, `stream` and HTTP/3': /^(?:mail|stream|h3|quic)/,
  'response caches': /_cache/,
  'SSI, Perl, images, XSLT, substitution, mirrored requests': /^(?:ssi|perl|image|xslt|sub_|mirror|js|addition)/,
  'uwsgi, scgi, memcached': /^(?:uwsgi|scgi|memcached)/,
  'request and connection limits': /^limit/,
  'WebDAV, media, slices, cookies, secure links, statistics':
    /^(?:dav|mp4|flv|slice|userid|secure|random|stub|geoip|browser|empty|gunzip)/,
};

/** Titles of tests that every file contains. They pass if no alerts were logged. */
const common = new Set(['no alerts', 'no sanitizer errors']);

export function suiteTable(played: readonly Both[]): string {
  const outside = new Map<string, number>();
  const whole: string[] = [];
  const rows: string[] = [];
  let applying = 0;
  let passed = 0;
  let counted = 0;
  for (const { theirs, ours } of played) {
    const file = theirs.name.replace(/\.t$/, '');
    const titles = theirs.passed.filter((title) => !common.has(title));
    const feature = Object.entries(features).find(([, pattern]) => pattern.test(file))?.[0];
    if (feature !== undefined || ours === null || titles.length === 0) {
      const group =
        feature ?? 'skipped or failed by nginx, because a newer version, a module or a Perl library is required';
      outside.set(group, (outside.get(group) ?? 0) + 1);
      continue;
    }
    const got = titles.filter((title) => ours.passed.includes(title)).length;
    applying++;
    passed += got;
    counted += titles.length;
    if (got === titles.length) whole.push(file);
    else rows.push(`| \`${file}\` | ${got} of ${titles.length} | ${reasonFor(file)} |`);
  }
  return `# nginx's own test suite

nginx's test suite (\`nginx/nginx-tests\`) can run against Sluice. \`apps/server/test/nginx/suite/stand-in.ts\` runs Sluice with nginx's command line, files and
signals, and adapts each test's configuration. \`apps/server/test/trials/nginx/suite.trial.ts\` runs the suite from a separate checkout and writes this page. This repository does not contain any
part of the suite. Only tests that nginx 1.22.1 passes on the same machine are counted.

Of the suite's ${played.length} test files, ${applying} are applicable to Sluice. In these files, nginx passes ${counted} tests, of which Sluice passes ${passed}. Sluice passes all tests in ${whole.length} files.

## All tests pass

${whole.map((file) => `\`${file}\``).join(', ')}.

## Some tests fail

*Declared* means that [Migrating from nginx](guide/from-nginx.md) documents the difference. *Not applicable* means that the file tests an unsupported feature. *Open* means that the failure has not been examined yet. Most reasons are derived from test titles and error messages, and were not verified for each test.

| File | Passes | Main reason for failures |
| --- | --- | --- |
${rows.join('\n')}

## Not applicable

| Feature | Files |
| --- | --- |
${[...outside].map(([group, count]) => `| ${group} | ${count} |`).join('\n')}
`;
}
