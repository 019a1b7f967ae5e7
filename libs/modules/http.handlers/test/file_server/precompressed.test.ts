import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { fieldsOf, Site } from './site.ts';

const all: JsonObject = { precompressed: { gzip: {}, br: {}, zstd: {} } };

describe('http.handlers.file_server precompressed', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'p.js': 'js plain',
      'p.js.gz': 'GZ',
      'p.js.br': 'BR',
      'p.js.zst': 'ZST',
      'q.css': 'css',
      'q.css.gz': 'QGZ',
      'only.js.gz': 'no plain file',
      'd.txt': 'd',
      'd.txt.gz/': '',
      'index.html': 'index',
      'index.html.gz': 'IGZ',
    });
  });
  after(() => site.remove());

  const table: readonly [options: JsonObject, path: string, accept: string, text: string][] = [
    [all, '/p.js', '', 'js plain'],
    [all, '/p.js', 'gzip', 'GZ'],
    [all, '/p.js', 'GZIP', 'GZ'],
    [all, '/p.js', 'gzip, br', 'GZ'],
    [all, '/p.js', 'br, gzip', 'BR'],
    [all, '/p.js', 'gzip;q=0.4, br;q=0.5, zstd;q=0.1', 'BR'],
    [all, '/p.js', 'gzip;q=0, br', 'BR'],
    [all, '/p.js', '*', 'js plain'],
    [all, '/p.js', 'identity, deflate', 'js plain'],
    [all, '/q.css', 'br, gzip', 'QGZ'],
    [all, '/q.css', 'br', 'css'],
    [all, '/d.txt', 'gzip', 'd'],
    [all, '/', 'gzip', 'IGZ'],
    [all, '/p.js.gz', 'gzip', 'GZ'],
    [{ ...all, precompressed_order: ['zstd', 'br'] }, '/p.js', 'gzip, br, zstd', 'ZST'],
    [{ ...all, precompressed_order: ['zstd', 'br'] }, '/p.js', 'gzip, br', 'BR'],
    [{ ...all, precompressed_order: ['zstd'] }, '/p.js', 'gzip, br, zstd;q=0.9', 'GZ'],
    [{ ...all, hide: ['*.gz'] }, '/p.js', 'gzip, br', 'BR'],
    [{ ...all, hide: ['*.gz'] }, '/p.js', 'gzip', 'js plain'],
    [{}, '/p.js', 'gzip', 'js plain'],
  ];
  for (const [options, path, accept, text] of table) {
    it(`file_server sends ${text} for ${path} if ${accept || 'nothing'} is accepted, with ${JSON.stringify(options)}`, async () => {
      expect(await site.get({ path, headers: { 'Accept-Encoding': accept } }, options)).to.include({
        status: 200,
        text,
      });
    });
  }

  it('a precompressed response has the content type of the plain file and the validators of the compressed file', async () => {
    const fields = fieldsOf(await site.get({ path: '/p.js', headers: { 'Accept-Encoding': 'gzip' } }, all));
    expect(fields).to.include({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      etag: '"c5m8nwso7bwg-2"',
      'content-length': '2',
      vary: 'Accept-Encoding',
    });
  });

  it('a precompressed response has the content type of the requested file name, regardless of the order of requests', async () => {
    const server = await site.serve(all);
    const typeOf = async (path: string): Promise<string | undefined> =>
      (await server.request({ path, headers: { 'Accept-Encoding': 'gzip' } })).headers.get('content-type');
    try {
      const types = [];
      for (const path of ['/p.js', '/p.js.gz', '/p.js', '/q.css.gz', '/q.css']) types.push(await typeOf(path));
      const [script, archive, style] = [
        'text/javascript; charset=utf-8',
        'application/gzip',
        'text/css; charset=utf-8',
      ];
      expect(types).to.deep.equal([script, archive, script, archive, style]);
    } finally {
      await server.close();
    }
  });

  it('file_server sends a precompressed file only if the plain file exists', async () => {
    expect((await site.get({ path: '/only.js', headers: { 'Accept-Encoding': 'gzip' } }, all)).status).to.equal(404);
  });

  it('conditional requests and ranges apply to the precompressed content', async () => {
    const ask = (headers: Record<string, string>) =>
      site.get({ path: '/p.js', headers: { 'Accept-Encoding': 'gzip', ...headers } }, all);
    const part = await ask({ Range: 'bytes=0-0' });
    expect(part).to.include({ status: 206, text: 'G' });
    expect(fieldsOf(part)).to.include({ 'content-range': 'bytes 0-0/2', 'content-encoding': 'gzip' });
    const known = await ask({ 'If-None-Match': '"c5m8nwso7bwg-2"' });
    expect(known.status).to.equal(304);
    expect(fieldsOf(known)).not.to.have.property('content-encoding');
    const refused = await ask({ Range: 'bytes=9-' });
    expect(refused.status).to.equal(416);
    expect(fieldsOf(refused)).not.to.have.property('content-encoding');
  });
});

describe('http.handlers.file_server etag_file_extensions', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'a.txt': 'a',
      'a.txt.md5': '"abc123"\n',
      'b.txt': 'b',
      'b.txt.md5': '',
      'b.txt.sha': 'W/"weak"\r\n',
      'c.txt': 'c',
      'd.txt': 'd',
      'd.txt.md5/': '',
      'g.js': 'g',
      'g.js.md5': '"plain"',
      'g.js.gz': 'GG',
      'g.js.gz.md5': '"zipped"',
    });
  });
  after(() => site.remove());
  const options: JsonObject = { etag_file_extensions: ['.md5', '.sha'], precompressed: { gzip: {} } };

  const table: readonly [path: string, accept: string, etag: string][] = [
    ['/a.txt', '', '"abc123"'],
    ['/b.txt', '', 'W/"weak"'],
    ['/c.txt', '', '"c5m8nwso7bwg-1"'],
    ['/g.js', '', '"plain"'],
    ['/g.js', 'gzip', '"zipped"'],
  ];
  for (const [path, accept, etag] of table) {
    it(`file_server sends the entity tag ${etag} for ${path} with Accept-Encoding "${accept}"`, async () => {
      const server = await site.serve(options);
      for (let i = 0; i < 2; i++) {
        const response = await server.request({ path, headers: { 'Accept-Encoding': accept } });
        expect(response.headers.get('etag')).to.equal(etag);
      }
      expect(
        (await server.request({ path, headers: { 'Accept-Encoding': accept, 'If-None-Match': etag } })).status,
      ).to.equal(304);
      await server.close();
    });
  }

  it('file_server returns 500 if the entity tag file is a directory', async () => {
    expect((await site.get('/d.txt', options)).status).to.equal(500);
  });
});
