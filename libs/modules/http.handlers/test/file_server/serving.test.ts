import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import type { TestRequest } from '@sluice/testing';
import { changedDate, fieldsOf, serveRoutes, Site } from './site.ts';

const plain = 'text/plain; charset=utf-8';

describe('http.handlers.file_server', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'index.html': '<h1>root</h1>',
      'a.txt': 'hello world',
      'empty.txt': '',
      noext: 'plain',
      'dir/index.html': 'dir index',
      'dir/index.txt': 'second',
      'list/index.txt': 'text index',
      'deep/sub/y.txt': 'y',
      'nothing/': '',
      'sp ace.txt': 'space',
      'é.txt': 'accent',
      'back\\slash.txt': 'bs',
      '.hidden': 'dot',
    });
  });
  after(() => site.remove());

  it('file_server returns the file and its validators', async () => {
    const response = await site.get('/a.txt');
    expect(response).to.include({ status: 200, text: 'hello world' });
    expect(fieldsOf(response)).to.deep.equal({
      vary: 'Accept-Encoding',
      etag: '"c5m8nwso7bwg-b"',
      'content-type': plain,
      'last-modified': changedDate,
      'accept-ranges': 'bytes',
      'content-length': '11',
    });
  });

  it('file_server responds to HEAD with the same status and header fields as to GET', async () => {
    const [get, head] = [await site.get('/a.txt'), await site.get({ path: '/a.txt', method: 'HEAD' })];
    expect(head).to.include({ status: 200, text: '' });
    expect(fieldsOf(head)).to.deep.equal(fieldsOf(get));
  });

  const paths: readonly [path: string, status: number, text: string][] = [
    ['/', 200, '<h1>root</h1>'],
    ['/dir/', 200, 'dir index'],
    ['/list/', 200, 'text index'],
    ['/empty.txt', 200, ''],
    ['/noext', 200, 'plain'],
    ['/.hidden', 200, 'dot'],
    ['/deep//sub/./y.txt', 200, 'y'],
    ['/deep%2Fsub%2fy.txt', 200, 'y'],
    ['/sp%20ace.txt', 200, 'space'],
    ['/%C3%A9.txt', 200, 'accent'],
    ['/back%5Cslash.txt', 200, 'bs'],
    ['/a.txt?query', 200, 'hello world'],
    ['/none', 404, ''],
    ['/nothing/', 404, ''],
    ['/nothing', 404, ''],
    ['/a.txt/b', 404, ''],
    ['/A.TXT', 404, ''],
    ['/a.txt.', 404, ''],
    ['/%FF', 404, ''],
    ['/a.txt%00', 400, ''],
    ['/%00/', 400, ''],
    [`/${'n'.repeat(255)}`, 404, ''],
    [`/${'n'.repeat(256)}`, 400, ''],
    [`/${'d/'.repeat(3000)}`, 400, ''],
  ];
  for (const [path, status, text] of paths) {
    it(`file_server returns ${status} for ${path.length > 40 ? `${path.slice(0, 10)}… of ${path.length}` : path}`, async () => {
      expect(await site.get(path)).to.include({ status, text });
    });
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    it(`file_server rejects ${method}`, async () => {
      const response = await site.get({ path: '/a.txt', method });
      expect(response).to.include({ status: 405, text: '' });
      expect(fieldsOf(response)).to.deep.equal({ allow: 'GET, HEAD', vary: 'Accept-Encoding' });
      expect((await site.get({ path: '/none', method })).status).to.equal(404);
    });
  }

  it('file_server keeps an entity tag and a content type that were already set', async () => {
    const set = { Etag: ['"mine"'], 'Content-Type': ['text/mine'], 'Last-Modified': ['yesterday'] };
    const headers: JsonObject = { handler: 'headers', response: { set } };
    const response = await site.get('/a.txt', {}, [headers]);
    expect(fieldsOf(response)).to.include({
      etag: '"mine"',
      'content-type': 'text/mine',
      'last-modified': changedDate,
    });
    const known = await site.get({ path: '/a.txt', headers: { 'If-None-Match': '"mine"' } }, {}, [headers]);
    expect(known.status).to.equal(304);
  });

  it('file_server reads the root from the root variable and from placeholders', async () => {
    const server = await serveRoutes([{ handle: [{ handler: 'vars', root: site.root }, { handler: 'file_server' }] }]);
    expect((await server.request('/a.txt')).text).to.equal('hello world');
    await server.close();
    const byHost = await serveRoutes([
      { handle: [{ handler: 'file_server', root: `${site.folder}/{http.request.host}` }] },
    ]);
    expect((await byHost.request({ path: '/a.txt', host: 'w' })).text).to.equal('hello world');
    expect((await byHost.request({ path: '/a.txt', host: 'other' })).status).to.equal(404);
    await byHost.close();
  });

  const indexes: readonly [names: string[], path: string, text: string][] = [
    [['a.txt', 'index.html'], '/', 'hello world'],
    [['none', 'index.html'], '/', '<h1>root</h1>'],
    [['sub/y.txt'], '/deep/', 'y'],
    [['dir', 'empty.txt', 'a.txt'], '/', ''],
    [['{http.request.uri.query.i}'], '/?i=a.txt', 'hello world'],
  ];
  for (const [names, path, text] of indexes) {
    it(`file_server uses the first of ${names.join(', ')} as the index file`, async () => {
      expect(await site.get(path, { index_names: names })).to.include({ status: 200, text });
    });
  }

  it('file_server has no index files if the list is empty', async () => {
    expect((await site.get('/', { index_names: [] })).status).to.equal(404);
    expect((await site.get('/index.html', { index_names: [] })).status).to.equal(200);
  });

  const statuses: readonly [option: string | number, what: TestRequest, status: number, text: string][] = [
    [404, { path: '/a.txt' }, 404, 'hello world'],
    [404, { path: '/a.txt', headers: { Range: 'bytes=0-1' } }, 404, 'he'],
    [404, { path: '/a.txt', headers: { 'If-None-Match': '*' } }, 404, ''],
    [404, { path: '/none' }, 404, ''],
    [404, { path: '/a.txt', method: 'POST' }, 405, ''],
    ['{http.request.uri.query.s}', { path: '/a.txt?s=203' }, 203, 'hello world'],
    ['{http.request.uri.query.s}', { path: '/a.txt?s=204' }, 204, ''],
    ['{http.request.uri.query.s}', { path: '/a.txt?s=abc' }, 500, ''],
    ['{http.request.uri.query.s}', { path: '/a.txt' }, 500, ''],
    ['{http.request.uri.query.s}', { path: '/a.txt?s=99' }, 500, ''],
  ];
  for (const [option, what, status, text] of statuses) {
    it(`file_server sends ${status} for ${JSON.stringify(what)} with status_code ${option}`, async () => {
      expect(await site.get(what, { status_code: option })).to.include({ status, text });
    });
  }

  it('file_server with pass_thru calls the next handler for missing files only', async () => {
    const server = await serveRoutes([
      {
        handle: [
          { handler: 'file_server', root: site.root, pass_thru: true, hide: ['empty.txt'] },
          { handler: 'static_response', body: 'next' },
        ],
      },
    ]);
    const texts: [path: string, status: number, text: string][] = [
      ['/none', 200, 'next'],
      ['/nothing/', 200, 'next'],
      ['/empty.txt', 200, 'next'],
      ['/a.txt', 200, 'hello world'],
      ['/%00', 400, ''],
    ];
    for (const [path, status, text] of texts) expect(await server.request(path), path).to.include({ status, text });
    expect((await server.request({ path: '/a.txt', method: 'POST' })).status).to.equal(405);
    expect((await server.request('/dir')).status).to.equal(308);
    await server.close();
  });

  it('file_server in error routes serves requests with any method, and returns the error status', async () => {
    const server = await serveRoutes([{ handle: [{ handler: 'error', status_code: 410 }] }], {
      errors: {
        routes: [
          {
            handle: [
              { handler: 'rewrite', uri: '/{http.request.uri.query.f}' },
              { handler: 'file_server', root: site.root },
            ],
          },
        ],
      },
    });
    expect(await server.request({ path: '/x?f=a.txt', method: 'POST' })).to.include({
      status: 410,
      text: 'hello world',
    });
    expect(await server.request('/x?f=none')).to.include({ status: 410, text: '' });
    await server.close();
  });
});
