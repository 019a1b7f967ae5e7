/** Builds the site from the documents and serves it with Sluice. Every page, link, image and anchor must exist, and search must work. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { request, withRoutes } from '@sluice/testing';
import { buildSite, type Written } from '../src/build.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('documentation site', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'));
  let written: Written;
  before(() => {
    written = buildSite(root, folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('the documentation site has a page for every document', () => {
    expect(written.pages).to.be.greaterThan(200);
    for (const page of ['index.html', 'docs/guide/php.html', 'docs/reference/modules/http.handlers.encode.html'])
      expect(existsSync(join(folder, page)), page).to.equal(true);
  });

  it('the documentation site has no broken links', () => {
    const anchors = new Map<string, Set<string>>();
    const anchorsIn = (page: string): Set<string> => {
      const known =
        anchors.get(page) ??
        new Set([...readFileSync(page, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
      anchors.set(page, known);
      return known;
    };
    const broken: string[] = [];
    for (const page of globSync('**/*.html', { cwd: folder })) {
      const html = readFileSync(join(folder, page), 'utf8').replaceAll(/<pre>[^]*?<\/pre>|<code>[^]*?<\/code>/g, '');
      for (const [, target = ''] of html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(target) || target === '#') continue;
        const [file = '', anchor = ''] = target.split('#');
        const wanted =
          file === '' ? join(folder, page) : normalize(join(folder, dirname(page), decodeURIComponent(file)));
        if (!existsSync(wanted)) broken.push(`${page}: ${target}`);
        else if (anchor !== '' && !anchorsIn(wanted).has(decodeURIComponent(anchor))) broken.push(`${page}: ${target}`);
      }
    }
    expect(broken).to.deep.equal([]);
  });

  it('the search index of the documentation site contains sections and works without a server', () => {
    const context: { searchIndex?: [string, string, string, string, string][] } = {};
    runInNewContext(readFileSync(join(folder, 'assets/index.js'), 'utf8'), context);
    expect(context.searchIndex).to.have.length(written.sections);
    const found = context.searchIndex?.find(([page, , , heading]) => page.endsWith('tls.html') && heading === 'HTTP/2');
    expect(found?.[2]).to.equal('http2');
    expect(found?.[4]).to.match(/250 concurrent streams/);
  });

  it("Sluice's file server serves the documentation site", async () => {
    const config = withRoutes([{ handle: [{ handler: 'file_server', root: folder }] }]);
    const pages = {
      '/': /<title>Sluice<\/title>/,
      '/docs/guide/php.html': /<h1 id="php">PHP<\/h1>/,
      '/assets/search.js': /searchIndex/,
    };
    for (const [path, text] of Object.entries(pages)) {
      const response = await request(config, path, { register: [], standard: true });
      expect(response.status, path).to.equal(200);
      expect(response.text, path).to.match(text);
    }
  });
});
