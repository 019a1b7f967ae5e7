/** Makes docs/nginx-suite.md of what nginx's suite found. */
import type { FileResult } from './play.ts';
import { reasonFor } from './reasons.ts';

/** A file, run by nginx and by this server; `ours` is `null` if nginx skips it. */
interface Both {
  readonly theirs: FileResult;
  readonly ours: FileResult | null;
}

/** Groups of files for features that are not there. */
const features: Readonly<Record<string, RegExp>> = {
  'mail, `stream` and HTTP/3': /^(?:mail|stream|h3|quic)/,
  'caches of responses': /_cache/,
  'SSI, Perl, images, XSLT, substitution, mirrored requests': /^(?:ssi|perl|image|xslt|sub_|mirror|js|addition)/,
  'uwsgi, scgi, memcached': /^(?:uwsgi|scgi|memcached)/,
  'limits of requests and connections': /^limit/,
  'DAV, media, slices, cookies, links, statistics':
    /^(?:dav|mp4|flv|slice|userid|secure|random|stub|geoip|browser|empty|gunzip)/,
};

/** Titles that every file has, whatever it tests: that nothing was logged as an alert. */
const common = new Set(['no alerts', 'no sanitizer errors']);

/** Returns the document. */
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
        feature ?? 'nginx skips the file, or fails: it needs a newer version, a module, or a library of Perl';
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

The suite of nginx (\`nginx/nginx-tests\`) runs this server instead of nginx: \`apps/server/test/nginx/suite/stand-in.ts\` takes the command line, files and
signals of nginx, and adapts the configuration of each test. \`apps/server/test/nginx/suite.trial.ts\` runs it from a fetched copy and writes this page; nothing of
the suite is kept. A test counts if nginx 1.22.1 passes it on the same machine.

Of ${played.length} files ${applying} apply; this server passes ${passed} of the ${counted} tests that nginx passes in them, in ${whole.length} files all of them.

## All tests pass

${whole.map((file) => `\`${file}\``).join(', ')}.

## Some tests fail

*Declared*: [from nginx](guide/from-nginx.md) says it. *Not applicable*: the file tests a feature that is not there. *Open*: not yet examined.

| File | Passes | Reason for most failures |
| --- | --- | --- |
${rows.join('\n')}

## Does not apply

| Feature | Files |
| --- | --- |
${[...outside].map(([group, count]) => `| ${group} | ${count} |`).join('\n')}
`;
}
