/**
 * Runs configurations of other projects, stored in a directory, on nginx and Sluice: `NGINX_TREES=/folder npx mocha
 * apps/server/test/trials/nginx/trees.trial.ts`.
 *
 * Included files are in the subdirectory `includes`. The files are not part of this repository.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Seen } from '../../nginx/ask.ts';
import { withoutDeclared } from '../../nginx/declared.ts';
import { nginxCommand, Pair } from '../../nginx/pair.ts';
import { tame } from '../../nginx/tame.ts';

const folder = process.env['NGINX_TREES'] ?? '';
const files = folder === '' ? [] : readdirSync(folder).filter((name) => name.endsWith('.conf'));

/** Directives without an equivalent according to docs/reference/nginx.md. A location that contains one of them returns 501. */
const unavailable =
  /(?:memcached|uwsgi|scgi)_pass|empty_gif|perl|ssi on|flv;|mp4;|valid_referers|secure_link|userid on/;

/** Normalizes a response. Both servers of an upstream group are equivalent, and host names are compared in lowercase. */
function comparable(seen: Seen, warnings: readonly string[]): Seen {
  const text = JSON.stringify(seen)
    .replaceAll(/\\"name\\":\\"(?:one|two)\\"/g, '')
    .replaceAll(/https?:\/\/[\w.-]+/gi, (origin) => origin.toLowerCase());
  // nginx sends two Host fields to the upstream, which selects one of them.
  const hosts = warnings.some((warning) => warning.includes('Host is given twice'));
  const { headers, ...rest } = JSON.parse(hosts ? text.replaceAll(/\\"host\\":\\"[^"]*\\"/g, '') : text) as Seen;
  const { 'cache-control': caching, ...others } = headers;
  // The adapter reports a warning for `expires $variable`, so this difference is expected.
  const expires = warnings.some((warning) => warning.startsWith('expires $'));
  return { ...rest, headers: expires || caching === undefined ? others : headers };
}

describe('nginx and Sluice with configurations from other projects', () => {
  let pair: Pair;

  before(async function () {
    if (nginxCommand === null || files.length === 0) return this.skip();
    pair = await Pair.start();
    const includes = join(folder, 'includes');
    if (existsSync(includes)) cpSync(includes, pair.sandbox.path('conf'), { recursive: true, force: false });
  });

  after(() => pair?.stop());

  for (const file of files) {
    it(`nginx and Sluice respond identically to ${file}`, async function () {
      this.timeout(60_000);
      const each = tame(file.replace('.conf', ''), readFileSync(join(folder, file), 'utf8'));
      if (unavailable.test(each.text)) return this.skip();
      const { theirs, ours, warnings } = await pair.play(each).catch((error: Error) => {
        // nginx itself rejects some of the configuration fragments, so their tests are skipped.
        if (error.message.startsWith('nginx ended')) return this.skip();
        throw error;
      });
      const differences = each.requests.flatMap((request, i) => {
        const { source } = request;
        const [left, right] = withoutDeclared(comparable(theirs[i]!, warnings), comparable(ours[i]!, warnings), {
          text: each.text,
          ...request,
        });
        return isDeepStrictEqual(left, right)
          ? []
          : [`${source}\nnginx ${JSON.stringify(left)}\nhere  ${JSON.stringify(right)}`];
      });
      expect(differences.slice(0, 5).join('\n')).to.equal('');
    });
  }
});
