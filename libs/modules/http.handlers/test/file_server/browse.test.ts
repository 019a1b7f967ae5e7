import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, withRoutes, type TestResponse } from '@sluice/testing';
import { fileMode, formatTime } from '../../src/file_server/browse/json.ts';
import { listingPageTemplate } from '../../src/file_server/browse/page-template.ts';
import { humanSize } from '../../src/file_server/browse/sizes.ts';
import { changedDate, fieldsOf, packages, Site } from './site.ts';

const json = { Accept: 'application/json' };

describe('http.handlers.file_server browse', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'd/zeta.txt': 'zz',
      'd/Alpha.txt': 'aaaa',
      'd/beta.md': 'b',
      'd/file10.txt': '10x',
      'd/file2.txt': '2xxxx',
      'd/': '',
      'odd/<b>"\'&.txt': 'x',
      'odd/%41.txt': 'x',
      'odd/sp ace?#.txt': 'x',
      'odd/é.txt': 'x',
      'odd/col:on': 'x',
      'odd/': '',
      'mixed/zdir/': '',
      'mixed/Adir/': '',
      'mixed/a.txt': '1',
      'mixed/B.txt': '22',
      'indexed/index.html': 'index',
      'empty/': '',
    });
    const links = join(site.root, 'links');
    mkdirSync(links);
    writeFileSync(join(links, 'file'), 'content');
    symlinkSync('file', join(links, 'to-file'));
    symlinkSync('../d', join(links, 'to-folder'));
    symlinkSync('gone', join(links, 'to-nothing'));
  });
  after(() => site.remove());
  const browse = (options: JsonObject = {}): JsonObject => ({ browse: options });
  const namesOf = (response: TestResponse): string =>
    (JSON.parse(response.text) as { name: string }[]).map(({ name }) => name).join(' ');
  const names = async (path: string, options: JsonObject = {}, headers: Record<string, string> = {}): Promise<string> =>
    namesOf(await site.get({ path, headers: { ...json, ...headers } }, browse(options)));

  it('browse lists a directory as JSON for clients that request JSON', async () => {
    const response = await site.get({ path: '/indexed/../mixed/', headers: json }, browse());
    expect(JSON.parse(response.text)[3]).to.deep.equal({
      name: 'B.txt',
      size: 2,
      url: './B.txt',
      mod_time: '2020-09-13T12:26:40Z',
      mode: 420,
      is_dir: false,
      is_symlink: false,
    });
    expect(fieldsOf(response)).to.include({
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
    });
    expect(fieldsOf(response)).not.to.have.any.keys('etag', 'accept-ranges');
  });

  it('browse reports the latest modification time of its entries', async () => {
    const get = (headers: Record<string, string>) => site.get({ path: '/d/', headers }, browse());
    expect((await get(json)).headers.get('last-modified')).to.equal(changedDate);
    const known = await get({ ...json, 'If-Modified-Since': changedDate });
    expect(known).to.include({ status: 304, text: '' });
    expect(fieldsOf(known)).to.deep.equal({ vary: 'Accept, Accept-Encoding' });
    site.write('later/x.txt');
    utimesSync(join(site.root, 'later/x.txt'), 1_700_000_000, 1_700_000_000);
    utimesSync(join(site.root, 'later'), 1_600_000_000, 1_600_000_000);
    expect((await site.get('/later/', browse())).headers.get('last-modified')).to.equal(
      'Tue, 14 Nov 2023 22:13:20 GMT',
    );
  });

  it('browse escapes file names for their context', async () => {
    const response = await site.get({ path: '/odd/', headers: json }, browse());
    expect(JSON.parse(response.text).map(({ url }: { url: string }) => url)).to.deep.equal([
      './%2541.txt',
      './%3Cb%3E%22%27&.txt',
      './col:on',
      './sp%20ace%3F%23.txt',
      './%C3%A9.txt',
    ]);
    expect(response.text).not.to.match(/[<>&]/);
    const page = (await site.get('/odd/', browse())).text;
    expect(page).not.to.contain('<b>"');
    expect(page).to.contain('href="./%3Cb%3E%22%27&amp;.txt"');
    expect(page).to.contain('&lt;b&gt;&#34;&#39;&amp;.txt');
  });

  const orders: readonly [query: string, names: string][] = [
    ['', 'Adir/ zdir/ a.txt B.txt'],
    ['sort=namedirfirst&order=desc', 'B.txt a.txt zdir/ Adir/'],
    ['sort=name', 'a.txt Adir/ B.txt zdir/'],
    ['sort=name&order=desc', 'zdir/ B.txt Adir/ a.txt'],
    ['sort=size', 'Adir/ zdir/ a.txt B.txt'],
    ['sort=size&order=desc', 'B.txt a.txt zdir/ Adir/'],
    ['limit=2', 'Adir/ zdir/'],
    ['limit=2&offset=1', 'zdir/ a.txt'],
    ['offset=3', 'B.txt'],
    ['offset=99', ''],
    ['limit=0', 'Adir/ zdir/ a.txt B.txt'],
    ['limit=-1&offset=x', 'Adir/ zdir/ a.txt B.txt'],
    ['limit=99999999999999999999', 'Adir/ zdir/ a.txt B.txt'],
    ['sort=%zz&order=;&limit=%', 'Adir/ zdir/ a.txt B.txt'],
  ];
  for (const [query, expected] of orders) {
    it(`browse lists ${expected || 'nothing'} for the query ${query || '(none)'}`, async () => {
      expect(await names(`/mixed/?${query}`)).to.equal(expected);
    });
  }

  it('browse sorts entries by time', async () => {
    site.write('time/a');
    site.write('time/b');
    utimesSync(join(site.root, 'time/a'), 1_700_000_000, 1_700_000_000);
    expect(await names('/time/?sort=time')).to.equal('b a');
    expect(await names('/time/?sort=time&order=desc')).to.equal('a b');
  });

  it('browse stores the layout preferences of a client in cookies', async () => {
    const chosen = await site.get({ path: '/d/?sort=size&order=desc', headers: json }, browse());
    expect(chosen.headers.all('set-cookie')).to.deep.equal([
      'sort=size; HttpOnly; SameSite=Lax',
      'order=desc; HttpOnly; SameSite=Lax',
    ]);
    const later = await site.get({ path: '/d/', headers: { ...json, Cookie: 'a=b; sort=size; order=desc' } }, browse());
    expect(namesOf(later)).to.equal('file2.txt Alpha.txt file10.txt zeta.txt beta.md');
    expect(later.headers.has('set-cookie')).to.equal(false);
    const bogus = await site.get({ path: '/d/?sort=bogus&order=up', headers: json }, browse());
    expect(bogus.headers.has('set-cookie')).to.equal(false);
  });

  it('browse sorts entries in the configured order by default', async () => {
    expect(await names('/d/', { sort: ['size', 'desc'] })).to.equal('file2.txt Alpha.txt file10.txt zeta.txt beta.md');
    expect(await names('/d/?order=asc', { sort: ['size', 'desc'] })).to.equal(
      'beta.md zeta.txt file10.txt Alpha.txt file2.txt',
    );
    expect(await names('/d/', { sort: ['name', 'desc'] }, { Cookie: 'sort=size' })).to.match(/^zeta/);
  });

  it('browse reads at most the configured number of entries', async () => {
    expect((await names('/d/', { file_limit: 2 })).split(' ')).to.have.lengthOf(2);
  });

  it('browse omits hidden files', async () => {
    const response = await site.get({ path: '/d/', headers: json }, { browse: {}, hide: ['*.txt'] });
    expect(namesOf(response)).to.equal('beta.md');
    expect((await site.get({ path: '/d/', headers: json }, { browse: {}, hide: ['d'] })).status).to.equal(404);
  });

  // Attack in docs/security.md: Total sizes in directory listings with symbolic links.
  it('browse reports the total size of entries, both excluding and including link targets', async () => {
    const template = join(site.folder, 'totals.html');
    writeFileSync(template, '{{.NumFiles}} {{.TotalFileSize}} {{.TotalFileSizeFollowingSymlinks}}');
    // The file has 7 bytes. The links point to "file" and "gone", and "gone" does not exist.
    const { text } = await site.get('/links/', browse({ template_file: template }));
    expect(text).to.equal('3 15 18');
    expect((await site.get('/links/', browse())).text).to.include('3 files, 15 B (18 B including link targets)');
    expect((await site.get('/mixed/', browse())).text).to.include('2 files, 3 B</p>');
  });

  it('browse shows link targets only if configured', async () => {
    interface Entry {
      readonly name: string;
      readonly size: number;
      readonly is_dir: boolean;
      readonly is_symlink: boolean;
      readonly symlink_path?: string;
    }
    const entries = async (options: JsonObject): Promise<Map<string, Entry>> => {
      const list = JSON.parse((await site.get({ path: '/links/', headers: json }, browse(options))).text) as Entry[];
      return new Map(list.map((entry) => [entry.name, entry]));
    };
    const plain = await entries({});
    expect([...plain.keys()]).to.deep.equal(['to-folder/', 'file', 'to-file', 'to-nothing']);
    expect(plain.get('to-file')).to.include({ size: 7, is_dir: false, is_symlink: true });
    expect(plain.get('to-folder/')).to.include({ is_dir: true, is_symlink: true });
    expect(plain.get('to-nothing')).to.include({ size: 4, is_dir: false, is_symlink: true });
    expect(plain.get('to-file')).not.to.have.property('symlink_path');
    expect((await entries({ reveal_symlinks: true })).get('to-file')?.symlink_path).to.equal('file');
  });

  it('browse serves index files instead of listings, and redirects to the trailing slash', async () => {
    expect(await site.get('/indexed/', browse())).to.include({ status: 200, text: 'index' });
    expect((await site.get('/empty', browse())).headers.get('location')).to.equal('/empty/');
    expect((await site.get('/none/', browse())).status).to.equal(404);
  });

  it('browse responds to requests with any method', async () => {
    const response = await site.get({ path: '/empty/', headers: json, method: 'POST' }, browse());
    expect(response).to.include({ status: 200, text: '[]\n' });
  });

  it('browse writes plain text for terminals', async () => {
    const response = await site.get({ path: '/mixed/?sort=name', headers: { Accept: 'text/plain' } }, browse());
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const [head, line, row] = response.text.split('\n');
    expect([head, line]).to.deep.equal(['Name\tSize\tModified', '----\t----\t--------']);
    expect(row).to.match(/^a\.txt\t1 B\tSeptember 1\d, 2020 at \d\d:26:40$/);
  });

  it('the browse page uses no external resources', async () => {
    const response = await site.get('/mixed/', browse());
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("; frame-ancestors 'self';");
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '?';
    expect(policy).to.include(`script-src 'nonce-${nonce}'`);
    expect(policy).to.contain("default-src 'none'");
    expect(response.text).to.contain(`<style nonce="${nonce}">`);
    expect(response.text).not.to.match(/<script(?! nonce=)|https?:\/\/|style=/);
    expect(response.text).to.contain('2 folders, 2 files, 3 B');
    expect(response.text).to.contain('<a href="../">');
    expect((await site.get('/', browse())).text).not.to.contain('<a href="../">');
  });

  it('the browse page shows images in the grid, and pages of long listings', async () => {
    site.write('pictures/p.png');
    expect((await site.get('/pictures/?layout=grid', browse())).text).to.contain('src="./p.png"');
    const page = (await site.get('/d/?limit=2&offset=2', browse())).text;
    expect(page).to.contain('3–4 of 5');
    expect(page).to.contain('offset=4');
    expect(page).to.contain('← Previous');
  });

  it('the browse page for an offset beyond the last entry has a link to the previous page', async () => {
    const page = (await site.get('/d/?offset=99', browse())).text;
    expect(page).to.match(
      /<a href="\.\/\?sort=namedirfirst&amp;order=asc">← Previous<\/a><span>0 of \d+<\/span><\/nav>/,
    );
    const limited = (await site.get('/d/?limit=2&offset=99', browse())).text;
    expect(limited).to.match(/&amp;limit=2&amp;offset=\d">← Previous/);
    expect(limited).not.to.contain('Next →');
  });

  it('browse renders a custom template', async () => {
    const template = join(site.folder, 't.html');
    writeFileSync(
      template,
      '{{.Name}}|{{.Path}}|{{.CanGoUp}}|{{.NumDirs}}|{{.NumFiles}}|{{.Sort}}|{{.Order}}|{{.Limit}}|{{.Offset}}|{{.Layout}}|' +
        '{{range .Items}}{{.Name}}:{{.Size}}:{{.URL}}:{{.IsDir}}:{{.IsSymlink}}{{.SymlinkPath}}:{{.HumanSize}}:{{.HumanModTime "2006"}}:{{.HasExt ".TXT"}};{{end}}|' +
        '{{range .Breadcrumbs}}{{.Link}}={{.Text}};{{end}}|{{.Host}}|{{upper "x"}}|{{.HumanTotalFileSize}}',
    );
    const response = await site.get('/mixed/?sort=size&limit=2&offset=2', browse({ template_file: template }));
    expect(response.text).to.equal(
      'mixed|/mixed|true|2|2|size|asc|2|2||a.txt:1:./a.txt:false:false:1 B:2020:true;B.txt:2:./B.txt:false:false:2 B:2020:true;|../=/;=mixed;|localhost|X|3 B',
    );
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    writeFileSync(template, '{{.Nope}}');
    const failed = await site.get('/mixed/', browse({ template_file: template }));
    expect(failed).to.include({ status: 500, text: '' });
    expect(fieldsOf(failed)).to.have.keys('vary', 'last-modified');
    expect((await site.get('/mixed/', browse({ template_file: `${template}.gone` }))).status).to.equal(500);
  });

  it('the exported browse template renders the built-in page', async () => {
    const template = join(site.folder, 'page.html');
    writeFileSync(template, listingPageTemplate());
    const queries = [
      '',
      '?layout=grid',
      '?sort=size&order=desc',
      '?sort=time',
      '?sort=name&limit=2',
      '?limit=1&offset=1',
    ];
    const folders = ['/', '/d/', '/odd/', '/links/', '/empty/', '/mixed/', '/links/?sort=x&limit=1&offset=9'];
    const paths = folders.flatMap((folder) =>
      folder.includes('?') ? [folder] : queries.map((query) => folder + query),
    );
    for (const path of paths) {
      const options = { reveal_symlinks: true };
      const page = async (more: JsonObject): Promise<string> => {
        const response = await site.get(path, browse({ ...options, ...more }));
        const policy = response.headers.get('content-security-policy') ?? '';
        const [, nonce = 'none'] = /style-src 'nonce-([^']*)'/.exec(policy) ?? [];
        // Removes fractions of seconds, which the built-in page contains.
        return `${policy}\n${response.text}`.replaceAll(nonce, 'NONCE').replace(/\.\d+Z"/g, 'Z"');
      };
      expect(await page({ template_file: template }), path).to.equal(await page({}));
    }
  });

  const refused: readonly [options: JsonObject, message: RegExp][] = [
    [{ sort: ['bogus'] }, /browse\.sort\[0\].*"bogus" is not a valid sort order; use one of name/],
    [{ sort: ['name', 'bogus'] }, /browse\.sort\[1\]/],
    [{ file_limit: 'x' }, /file_limit/],
    [{ bogus: 1 }, /bogus/],
  ];
  for (const [options, message] of refused) {
    it(`browse rejects ${JSON.stringify(options)}`, async () => {
      const config = withRoutes([{ handle: [{ handler: 'file_server', browse: options }] }]);
      const error: unknown = await serve(config, { register: packages }).then(
        (server) => server.close(),
        (caught: unknown) => caught,
      );
      expect((error as Error | undefined)?.message).to.match(message);
    });
  }
});

describe('http.handlers.file_server listings', () => {
  const sizes: readonly [bytes: number, text: string][] = [
    [0, '0 B'],
    [9, '9 B'],
    [10, '10 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [10_000, '9.8 KiB'],
    [10_485_759, '10 MiB'],
    [1_048_576, '1.0 MiB'],
    [104_857_600, '100 MiB'],
    [2 ** 50, '1.0 PiB'],
  ];
  for (const [bytes, text] of sizes) {
    it(`directory listings format ${bytes} bytes as ${text}`, () => {
      expect(humanSize(bytes)).to.equal(text);
    });
  }

  const times: readonly [nanoseconds: bigint, text: string][] = [
    [1_600_000_000_000_000_000n, '2020-09-13T12:26:40Z'],
    [1_600_000_000_613_406_613n, '2020-09-13T12:26:40.613406613Z'],
    [1_600_000_000_500_000_000n, '2020-09-13T12:26:40.5Z'],
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
  ];
  for (const [nanoseconds, text] of times) {
    it(`directory listings format a time as ${text}`, () => {
      expect(formatTime(nanoseconds)).to.equal(text);
    });
  }

  const modes: readonly [mode: number, number: number][] = [
    [0o100644, 420],
    [0o040755, 2_147_484_141],
    [0o120777, 134_218_239],
    [0o010644, 33_554_852],
    [0o104755, 8_389_101],
    [0o041777, 2_148_532_735],
  ];
  for (const [mode, number] of modes) {
    it(`directory listings contain the Go mode ${number} for mode ${mode.toString(8)}`, () => {
      expect(fileMode(mode)).to.equal(number);
    });
  }

  it('directory listings set the directory bit of the Go mode for a local directory', () => {
    expect(fileMode(statSync('/').mode) & 0x7fff_ffff).to.be.a('number');
    expect(fileMode(statSync('/').mode)).to.be.above(2 ** 31);
  });
});
