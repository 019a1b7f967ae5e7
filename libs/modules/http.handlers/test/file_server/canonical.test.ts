import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { fieldsOf, Site } from './site.ts';

describe('http.handlers.file_server canonical addresses', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'index.html': 'root',
      'a.txt': 'a',
      'dir/index.html': 'dir',
      'none/x.txt': 'x',
      'sp ace.txt': 's',
      'é.txt': 'e',
      'p%p/index.html': 'p',
      'q?q/index.html': 'q',
      'h#h/index.html': 'h',
      '\\example.com/index.html': 'b',
      '\t/index.html': 't',
      '"><b>/index.html': 'b',
    });
  });
  after(() => site.remove());

  const redirects: readonly [path: string, location: string][] = [
    ['/dir', '/dir/'],
    ['/dir?x=1', '/dir/?x=1'],
    ['/di%72', '/dir/'],
    ['//dir', '/dir/'],
    ['/dir/.', '/dir/'],
    ['/dir/..', '/'],
    ['/.', '/'],
    ['//example.com/%2e%2e/dir', '/dir/'],
    ['/a.txt/', '/a.txt'],
    ['/a.txt//', '/a.txt/'],
    ['/a.txt/?q', '/a.txt?q'],
    ['/a.txt%2F', '/a.txt'],
    ['//a.txt/', '/a.txt'],
    ['/%2Fexample.com/../a.txt/', '/a.txt'],
    ['/dir/../a.txt/.././a.txt/', '/a.txt'],
    ['/sp%20ace.txt/', '/sp ace.txt'],
    ['/%C3%A9.txt/', '/%c3%a9.txt'],
    ['/p%25p', '/p%25p/'],
    ['/q%3Fq', '/q%3fq/'],
    ['/h%23h', '/h%23h/'],
    ['/%5Cexample.com', '/%5cexample.com/'],
    ['/%09', '/%09/'],
  ];
  for (const [path, location] of redirects) {
    it(`file_server redirects ${path} to ${location}`, async () => {
      const response = await site.get(path);
      expect(response.status).to.equal(308);
      expect(fieldsOf(response)).to.deep.equal({ location, 'content-type': 'text/html; charset=utf-8' });
    });
  }

  it('the redirect page of file_server contains only a link', async () => {
    expect((await site.get('/dir?a=1&b=2')).text).to.equal('<a href="/dir/?a=1&amp;b=2">Permanent Redirect</a>.\n\n');
    expect((await site.get('/%22%3E%3Cb%3E')).text).not.to.contain('<b>');
    expect(await site.get({ path: '/dir', method: 'HEAD' })).to.include({ status: 308 });
    const post = await site.get({ path: '/dir', method: 'POST' });
    expect(post).to.include({ status: 308, text: '' });
    expect(fieldsOf(post)).to.deep.equal({ location: '/dir/' });
  });

  it('file_server does not redirect to hidden files', async () => {
    expect((await site.get('/none')).status).to.equal(404);
    expect((await site.get('/a.txt/', { hide: ['a.txt'] })).status).to.equal(404);
    expect((await site.get('/dir', { hide: ['index.html'] })).status).to.equal(404);
  });

  it('file_server serves paths with and without a trailing slash if canonical_uris is false', async () => {
    expect(await site.get('/dir', { canonical_uris: false })).to.include({ status: 200, text: 'dir' });
    expect(await site.get('/a.txt/', { canonical_uris: false })).to.include({ status: 200, text: 'a' });
  });

  it('file_server always redirects listings to the trailing slash, because listing links are relative', async () => {
    const response = await site.get('/dir?x', { canonical_uris: false, browse: {}, index_names: [] });
    expect(response.status).to.equal(308);
    expect(response.headers.get('location')).to.equal('/dir/?x');
  });

  const rewritten: readonly [rewrite: JsonObject, path: string, status: number, location: string][] = [
    [{ uri: '/dir' }, '/last', 200, ''],
    [{ uri: '/a.txt/' }, '/last', 200, ''],
    [{ uri: '/dir' }, '/same/dir', 308, '/same/dir/'],
    [{ strip_path_prefix: '/p' }, '/p/dir?x', 308, '/p/dir/?x'],
    [{ strip_path_prefix: '/p' }, '/p/a.txt/', 308, '/p/a.txt'],
    [{ strip_path_prefix: '/p' }, '/p/dir/', 200, ''],
  ];
  for (const [rewrite, path, status, location] of rewritten) {
    it(`file_server redirects to canonical paths based on the original URL: ${path} rewritten by ${JSON.stringify(rewrite)}`, async () => {
      const response = await site.get(path, {}, [{ handler: 'rewrite', ...rewrite }]);
      expect(response.status).to.equal(status);
      expect(response.headers.get('location') ?? '').to.equal(location);
    });
  }
});
