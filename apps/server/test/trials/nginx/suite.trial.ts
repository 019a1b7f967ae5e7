/**
 * Runs nginx's own test suite, stored in a directory, against Sluice: `NGINX_SUITE=/folder npx mocha
 * apps/server/test/trials/nginx/suite.trial.ts`.
 *
 * `NGINX_SUITE_FILES` selects files with a regular expression. By default, it selects a few files that both nginx and Sluice pass. With
 * `NGINX_SUITE_TABLE=1`, the whole suite runs on both servers, and docs/nginx-suite.md is written.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nginxCommand } from '../../nginx/pair.ts';
import { playFile, type FileResult } from '../../nginx/suite/play.ts';
import { suiteTable } from '../../nginx/suite/table.ts';

const folder = process.env['NGINX_SUITE'] ?? '';
const whole = process.env['NGINX_SUITE_TABLE'] === '1';
const selected = new RegExp(
  process.env['NGINX_SUITE_FILES'] ??
    (whole ? '' : '^(?:http_location|map_complex|proxy_duplicate_headers|not_modified_finalize)\\.t$'),
);
const document = fileURLToPath(new URL('../../../../../docs/nginx-suite.md', import.meta.url));

describe('nginx test suite with nginx and Sluice', () => {
  let scratch = '';

  before(function () {
    if (nginxCommand === null || folder === '') {
      process.stdout.write(
        '      skipped: NGINX_SUITE names no folder with nginx/nginx-tests, or nginx is not installed\n',
      );
      return this.skip();
    }
    scratch = mkdtempSync(join(tmpdir(), 'nginx-suite-'));
  });

  after(() => rmSync(scratch, { recursive: true, force: true }));

  it(whole ? 'becomes the table of docs/nginx-suite.md' : 'passes here if nginx passes it', async function () {
    this.timeout(0);
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.t') && selected.test(name))
      .sort();
    expect(files, 'files of the suite').not.to.be.empty;
    const standIn = executable(scratch);
    const played: { theirs: FileResult; ours: FileResult | null }[] = [];
    for (const file of files) {
      const theirs = await playFile(folder, file, nginxCommand ?? '');
      const ours = theirs.skipped === null ? await playFile(folder, file, standIn) : null;
      played.push({ theirs, ours });
    }
    if (whole) return writeFileSync(document, suiteTable(played));
    const complete = played.filter(({ theirs }) => theirs.missing === 0);
    const died = played
      .filter(({ theirs }) => theirs.missing > 0)
      .map(({ theirs }) => `${theirs.name}: ${theirs.errors}`);
    expect(complete, `nginx itself runs no file to its end: ${died.join('')}`).not.to.be.empty;
    const lost = complete.flatMap(({ theirs, ours }) =>
      theirs.passed
        .filter((title) => ours?.passed.includes(title) === false)
        .map((title) => `${theirs.name}: ${title}`),
    );
    expect(lost.join('\n')).to.equal('');
  });
});

/** Writes a script that the test suite runs as nginx. */
function executable(scratch: string): string {
  const path = join(scratch, 'nginx');
  const standIn = fileURLToPath(new URL('../../nginx/suite/stand-in.ts', import.meta.url));
  const command = `exec "${process.execPath}" --conditions=@sluice/source "${standIn}" "$@"`;
  writeFileSync(path, `#!/bin/sh\nNGINX_COMMAND="${nginxCommand ?? ''}" ${command}\n`);
  chmodSync(path, 0o755);
  return path;
}
