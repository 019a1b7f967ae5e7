import { chmodSync, existsSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { asking, hrefs, lockInfo, setting, Shared } from './share.ts';

describe('http.handlers.webdav', () => {
  let shared: Shared;
  beforeEach(() => {
    shared = new Shared({ 'a.txt': 'first', 'folder/b.txt': 'second', 'folder/deep/c.txt': 'third' });
  });
  afterEach(() => shared.close());

  const names = (): string[] => readdirSync(shared.root).sort();

  describe('http.handlers.webdav: reading', () => {
    it('GET of a file supports ranges and conditional requests, and returns the same entity tag as PROPFIND', async () => {
      const response = await shared.send('GET', '/a.txt');
      expect(response.text).to.equal('first');
      const etag = response.headers.get('etag') ?? '';
      const listed = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' } });
      expect(listed.text).to.contain(`<D:getetag>${etag.replaceAll('"', '&quot;')}</D:getetag>`);
      expect((await shared.send('GET', '/a.txt', { headers: { range: 'bytes=1-2' } })).text).to.equal('ir');
      expect(await shared.status('GET', '/a.txt', { 'if-none-match': etag })).to.equal(304);
      expect(await shared.status('HEAD', '/missing')).to.equal(404);
    });

    it('GET of a collection lists its members, as in the Caddy plugin', async () => {
      const response = await shared.send('GET', '/folder');
      expect(response.status).to.equal(207);
      expect(hrefs(response)).to.deep.equal(['/folder/', '/folder/b.txt', '/folder/deep/']);
    });

    it('OPTIONS advertises WebDAV compliance classes 1 and 2, and the methods that the resource supports', async () => {
      const response = await shared.send('OPTIONS', '/a.txt');
      expect(response.status).to.equal(200);
      expect(response.headers.get('dav')).to.equal('1, 2');
      expect(response.headers.get('ms-author-via')).to.equal('DAV');
      expect(response.headers.get('allow')).to.contain('PUT').and.contain('LOCK');
      expect((await shared.send('OPTIONS', '/new')).headers.get('allow')).to.equal('OPTIONS, LOCK, PUT, MKCOL');
      expect((await shared.send('OPTIONS', '/folder')).headers.get('allow')).not.to.contain('PUT');
    });

    it('unsupported WebDAV methods fail with 405 and an Allow field', async () => {
      const response = await shared.send('POST', '/a.txt');
      expect(response.status).to.equal(405);
      expect(response.headers.get('allow')).to.contain('GET');
    });
  });

  describe('http.handlers.webdav: PROPFIND', () => {
    it('PROPFIND lists resources down to the Depth value', async () => {
      const at = async (depth: string): Promise<string[]> =>
        hrefs(await shared.send('PROPFIND', '/folder/', { headers: { depth } }));
      expect(await at('0')).to.deep.equal(['/folder/']);
      expect(await at('1')).to.deep.equal(['/folder/', '/folder/b.txt', '/folder/deep/']);
      expect(await at('infinity')).to.deep.equal(['/folder/', '/folder/b.txt', '/folder/deep/', '/folder/deep/c.txt']);
      expect(await shared.status('PROPFIND', '/folder', { depth: '2' })).to.equal(400);
    });

    it('PROPFIND reports existing and missing properties separately', async () => {
      const body = asking('<d:getcontentlength/><d:resourcetype/><x:color/>');
      const { text } = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' }, body });
      expect(text).to.contain(
        '<D:propstat><D:prop><D:getcontentlength>5</D:getcontentlength><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>',
      );
      expect(text).to.contain('xmlns:n1="urn:x"').and.contain('<D:prop><n1:color/></D:prop><D:status>HTTP/1.1 404');
    });

    it('PROPFIND escapes names for URLs and for XML', async () => {
      shared.write('ü & <b>?#%.txt', '');
      const { text } = await shared.send('PROPFIND', '/', { headers: { depth: '1' } });
      expect(text).to.contain('<D:href>/%C3%BC%20&amp;%20%3Cb%3E%3F%23%25.txt</D:href>');
      expect(text).to.contain('<D:displayname>ü &amp; &lt;b&gt;?#%.txt</D:displayname>');
    });

    it('PROPFIND with propname returns only property names, and PROPFIND with allprop also returns the properties listed in include', async () => {
      const propname = '<propfind xmlns="DAV:"><propname/></propfind>';
      const { text } = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' }, body: propname });
      expect(text).to.contain('<D:getetag/>').and.not.contain('HTTP/1.1 404');
      const include = '<propfind xmlns="DAV:"><allprop/><include><quota/></include></propfind>';
      const all = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' }, body: include });
      expect(all.text).to.contain('<D:quota/>').and.contain('<D:getetag>');
    });

    it('PROPFIND returns hrefs with the prefix, and with the path prefix that handle_path has removed', async () => {
      await shared.start({ prefix: '/dav/' });
      expect(hrefs(await shared.send('PROPFIND', '/dav', { headers: { depth: '1' } }))).to.deep.equal([
        '/dav/',
        '/dav/a.txt',
        '/dav/folder/',
      ]);
      for (const path of ['/', '/a.txt', '/davx/a.txt', '/dav/../a.txt'])
        expect(await shared.status('PROPFIND', path), path).to.equal(404);
      await shared.close();
      shared = new Shared({ 'a.txt': '' });
      await shared.start({}, [{ handler: 'rewrite', strip_path_prefix: '/files' }]);
      expect(hrefs(await shared.send('PROPFIND', '/files/a.txt'))).to.deep.equal(['/files/a.txt']);
      const destination = { destination: 'http://dav.example/files/b.txt' };
      expect(await shared.status('MOVE', '/files/a.txt', destination)).to.equal(201);
      expect(shared.read('b.txt')).to.equal('');
      expect(await shared.status('MOVE', '/files/b.txt', { destination: '/a.txt' })).to.equal(502);
    });

    it('a response to HEAD of a collection has no body', async () => {
      const response = await shared.send('HEAD', '/folder');
      expect(response.status).to.equal(207);
      expect(response.text).to.equal('');
    });
  });

  describe('http.handlers.webdav: writing', () => {
    it('PUT returns 201 if it creates a file and 204 if it replaces a file, and keeps the permissions of a replaced file', async () => {
      expect((await shared.send('PUT', '/new.txt', { body: 'one' })).status).to.equal(201);
      chmodSync(join(shared.root, 'new.txt'), 0o640);
      const response = await shared.send('PUT', '/new.txt', { pieces: ['t', 'w', 'o'] });
      expect(response.status).to.equal(204);
      expect(shared.read('new.txt')).to.equal('two');
      expect(statSync(join(shared.root, 'new.txt')).mode & 0o777).to.equal(0o640);
      expect((await shared.send('GET', '/new.txt')).headers.get('etag')).to.equal(response.headers.get('etag'));
      expect(names()).to.deep.equal(['a.txt', 'folder', 'new.txt']);
    });

    it('PUT stores megabytes in pieces of any size', async () => {
      const pieces = Array.from({ length: 300 }, (_, i) =>
        String.fromCharCode(65 + (i % 26)).repeat((i * 997) % 20_000),
      );
      expect((await shared.send('PUT', '/large', { pieces })).status).to.equal(201);
      expect(shared.read('large') === pieces.join('')).to.equal(true);
    });

    it('PUT fails if the parent collection is missing, if the target is a collection, and for partial content', async () => {
      expect(await shared.status('PUT', '/missing/x')).to.equal(409);
      expect(await shared.status('PUT', '/folder')).to.equal(405);
      expect(await shared.status('PUT', '/new/')).to.equal(405);
      expect(await shared.status('PUT', '/a.txt', { 'content-range': 'bytes 0-0/5' })).to.equal(400);
      expect(shared.read('a.txt')).to.equal('first');
    });

    it('PUT evaluates preconditions', async () => {
      const etag = (await shared.send('GET', '/a.txt')).headers.get('etag') ?? '';
      expect(await shared.status('PUT', '/a.txt', { 'if-none-match': '*' })).to.equal(412);
      expect(await shared.status('PUT', '/a.txt', { 'if-match': '"other"' })).to.equal(412);
      expect(await shared.status('PUT', '/new', { 'if-match': '*' })).to.equal(412);
      expect(shared.read('a.txt')).to.equal('first');
      expect(await shared.status('PUT', '/a.txt', { 'if-match': etag })).to.equal(204);
      expect(await shared.status('DELETE', '/a.txt', { 'if-match': etag })).to.equal(412);
    });

    it('PUT writes through a link, and preserves the link', async () => {
      symlinkSync('folder/b.txt', join(shared.root, 'link'));
      expect((await shared.send('PUT', '/link', { body: 'new' })).status).to.equal(204);
      expect(shared.read('folder/b.txt')).to.equal('new');
      expect(lstatSync(join(shared.root, 'link')).isSymbolicLink()).to.equal(true);
    });

    it('MKCOL creates a collection only if the request has no body and the parent collection exists', async () => {
      expect(await shared.status('MKCOL', '/new/')).to.equal(201);
      expect(await shared.status('MKCOL', '/new')).to.equal(405);
      expect(await shared.status('MKCOL', '/x/y')).to.equal(409);
      expect((await shared.send('MKCOL', '/z', { body: '<x/>' })).status).to.equal(415);
      expect(existsSync(join(shared.root, 'z'))).to.equal(false);
    });

    // Attack in docs/security.md: Symbolic links that lead outside the root or form a loop.
    it('DELETE removes trees, but does not follow links to directories', async () => {
      symlinkSync('folder', join(shared.root, 'link'));
      expect(await shared.status('DELETE', '/link')).to.equal(204);
      expect(shared.read('folder/b.txt')).to.equal('second');
      expect(await shared.status('DELETE', '/folder', { depth: '0' })).to.equal(400);
      expect(await shared.status('DELETE', '/folder')).to.equal(204);
      expect(await shared.status('DELETE', '/folder')).to.equal(404);
      expect(await shared.status('DELETE', '/')).to.equal(403);
      expect(names()).to.deep.equal(['a.txt']);
    });
  });

  describe('http.handlers.webdav: COPY and MOVE', () => {
    it('COPY copies files and trees, or only the collection itself if Depth is 0', async () => {
      expect(await shared.status('COPY', '/a.txt', { destination: '/copy.txt' })).to.equal(201);
      expect(await shared.status('COPY', '/folder', { destination: 'http://dav.example/all/' })).to.equal(201);
      expect(await shared.status('COPY', '/folder', { destination: '/empty', depth: '0' })).to.equal(201);
      expect(shared.read('copy.txt')).to.equal('first');
      expect(shared.read('all/deep/c.txt')).to.equal('third');
      expect(readdirSync(join(shared.root, 'empty'))).to.deep.equal([]);
    });

    it('COPY and MOVE replace the whole destination, unless Overwrite is F', async () => {
      shared.write('other/x.txt', 'x');
      expect(await shared.status('COPY', '/folder', { destination: '/other', overwrite: 'F' })).to.equal(412);
      expect(await shared.status('COPY', '/folder', { destination: '/other' })).to.equal(204);
      expect(shared.read('other/x.txt')).to.equal(null);
      expect(shared.read('other/deep/c.txt')).to.equal('third');
      expect(await shared.status('MOVE', '/a.txt', { destination: '/other' })).to.equal(204);
      expect(shared.read('other')).to.equal('first');
      expect(await shared.status('MOVE', '/folder', { destination: '/other' })).to.equal(204);
      expect(names()).to.deep.equal(['other']);
    });

    it('COPY and MOVE require a destination on the same server with an existing parent collection', async () => {
      expect(await shared.status('COPY', '/a.txt')).to.equal(400);
      expect(await shared.status('COPY', '/a.txt', { destination: 'http://other.example/b' })).to.equal(502);
      expect(await shared.status('COPY', '/a.txt', { destination: '/missing/b' })).to.equal(409);
      expect(await shared.status('COPY', '/a.txt', { destination: '/' })).to.equal(403);
      expect(await shared.status('MOVE', '/missing', { destination: '/b' })).to.equal(404);
    });

    // Attack in docs/security.md: Symbolic links that lead outside the root or form a loop.
    it('COPY skips and reports links to directories', async () => {
      symlinkSync('/etc', join(shared.root, 'folder/etc'));
      const response = await shared.send('COPY', '/folder', { headers: { destination: '/copy' } });
      expect(response.status).to.equal(207);
      expect(hrefs(response)).to.deep.equal(['/folder/etc/']);
      expect(readdirSync(join(shared.root, 'copy')).sort()).to.deep.equal(['b.txt', 'deep']);
    });
  });

  describe('http.handlers.webdav: dead properties', () => {
    const color = '<x:color>blue</x:color>';
    const colorOf = async (path: string): Promise<string | undefined> => {
      const body = asking('<x:color/>');
      const { text } = await shared.send('PROPFIND', path, { headers: { depth: '0' }, body });
      return /<x:color[^>]*>([^<]*)</.exec(text)?.[1];
    };

    it('PROPPATCH stores properties that other servers with the same directory can read', async () => {
      const response = await shared.send('PROPPATCH', '/folder/b.txt', { body: setting(color) });
      expect(response.status).to.equal(207);
      expect(response.text).to.contain('HTTP/1.1 200 OK');
      await shared.start();
      expect(await colorOf('/folder/b.txt')).to.equal('blue');
      const { text } = await shared.send('PROPFIND', '/folder', { headers: { depth: '1' } });
      expect(text).to.contain('<x:color xmlns:x="urn:x">blue</x:color>');
      await shared.send('PROPPATCH', '/folder/b.txt', { body: setting('<x:color/>', 'remove') });
      expect(await colorOf('/folder/b.txt')).to.equal(undefined);
    });

    it('MOVE and COPY include properties, and DELETE removes them', async () => {
      await shared.send('PROPPATCH', '/folder/b.txt', { body: setting(color) });
      await shared.status('COPY', '/folder', { destination: '/copy' });
      await shared.status('MOVE', '/folder', { destination: '/moved' });
      expect(await colorOf('/copy/b.txt')).to.equal('blue');
      expect(await colorOf('/moved/b.txt')).to.equal('blue');
      await shared.status('COPY', '/copy/b.txt', { destination: '/a.txt' });
      expect(await colorOf('/a.txt')).to.equal('blue');
      await shared.status('DELETE', '/copy');
      await shared.status('MKCOL', '/copy');
      await shared.send('PUT', '/copy/b.txt', { body: '' });
      expect(await colorOf('/copy/b.txt')).to.equal(undefined);
    });

    it('PROPPATCH does not change any property if one property is protected', async () => {
      const body = setting(`${color}<d:getetag>x</d:getetag>`);
      const { status, text } = await shared.send('PROPPATCH', '/a.txt', { body });
      expect(status).to.equal(207);
      expect(text).to.contain('HTTP/1.1 424').and.contain('<D:cannot-modify-protected-property/>');
      expect(await colorOf('/a.txt')).to.equal(undefined);
    });

    it('PROPFIND returns property values with attributes, namespaces, language and mixed content', async () => {
      const value = '<x:v xml:lang="de" a="1&quot;">t&lt;<y:e xmlns:y="urn:y" y:b="2"/><n xmlns="">u</n></x:v>';
      await shared.send('PROPPATCH', '/a.txt', { body: setting(value) });
      const { text } = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' }, body: asking('<x:v/>') });
      expect(text).to.contain(value.replace('<x:v', '<x:v xmlns:x="urn:x"'));
    });
  });

  describe('http.handlers.webdav: hidden files', () => {
    // Attack in docs/security.md: Access to temporary and hidden files, including COPY and MOVE of a collection that contains them.
    it('webdav does not let clients read, list or write hidden files', async () => {
      await shared.start({ hide: ['b.txt', '.*'] });
      shared.write('.git/config', 'secret');
      expect(hrefs(await shared.send('PROPFIND', '/', { headers: { depth: 'infinity' } }))).to.deep.equal([
        '/',
        '/a.txt',
        '/folder/',
        '/folder/deep/',
        '/folder/deep/c.txt',
      ]);
      for (const method of ['GET', 'PROPFIND', 'PUT', 'DELETE', 'MKCOL', 'LOCK', 'PROPPATCH'])
        for (const path of ['/folder/b.txt', '/.git/config', '/.git/new'])
          expect(await shared.status(method, path), `${method} ${path}`).to.equal(404);
      expect(await shared.status('COPY', '/a.txt', { destination: '/.git/config' })).to.equal(403);
      expect(shared.read('.git/config')).to.equal('secret');
    });

    // Attack in docs/security.md: Access to temporary and hidden files, including COPY and MOVE of a collection that contains them.
    it('webdav copies collections without their hidden files, and does not move or delete such collections', async () => {
      await shared.start({ hide: [join(shared.root, 'folder/deep/c.txt')] });
      expect(await shared.status('COPY', '/folder', { destination: '/copy' })).to.equal(201);
      expect(shared.read('copy/deep/c.txt')).to.equal(null);
      expect(await shared.status('MOVE', '/folder', { destination: '/moved' })).to.equal(403);
      expect(await shared.status('COPY', '/a.txt', { destination: '/folder' })).to.equal(403);
      expect(await shared.status('DELETE', '/folder')).to.equal(207);
      expect(shared.read('folder/deep/c.txt')).to.equal('third');
    });
  });

  describe('http.handlers.webdav: locks', () => {
    it('an exclusive LOCK rejects writes without the lock token until UNLOCK', async () => {
      const token = await shared.lock('/a.txt');
      const write = (headers: Record<string, string> = {}) => shared.send('PUT', '/a.txt', { headers, body: 'new' });
      const rejected = await write();
      expect(rejected.status).to.equal(423);
      expect(rejected.text).to.contain('<D:lock-token-submitted><D:href>/a.txt</D:href>');
      for (const method of ['DELETE', 'PROPPATCH'])
        expect((await shared.send(method, '/a.txt', { body: setting('<x:y/>') })).status, method).to.equal(423);
      expect(await shared.status('MOVE', '/a.txt', { destination: '/b' })).to.equal(423);
      expect(await shared.status('COPY', '/folder/b.txt', { destination: '/a.txt' })).to.equal(423);
      expect(shared.read('a.txt')).to.equal('first');
      expect((await write({ if: `(<${token}>)` })).status).to.equal(204);
      expect(await shared.lock('/a.txt')).to.equal('status 423');
      expect(await shared.status('UNLOCK', '/folder', { 'lock-token': `<${token}>` })).to.equal(409);
      expect(await shared.status('UNLOCK', '/a.txt', { 'lock-token': `<${token}>` })).to.equal(204);
      expect((await write()).status).to.equal(204);
    });

    it('LOCK with depth infinity covers all members, and LOCK with depth 0 protects only the names of members', async () => {
      const deep = await shared.lock('/folder');
      expect(await shared.status('PUT', '/folder/deep/new')).to.equal(423);
      expect(await shared.status('DELETE', '/folder/b.txt', { if: `(<${deep}>)` })).to.equal(204);
      expect(await shared.lock('/folder/deep')).to.equal('status 423');
      await shared.status('UNLOCK', '/folder', { 'lock-token': `<${deep}>` });
      const shallow = await shared.lock('/folder', { depth: '0' });
      expect(await shared.status('PUT', '/folder/new')).to.equal(423);
      expect(await shared.status('PUT', '/folder/deep/c.txt')).to.equal(204);
      expect(await shared.status('PUT', '/folder/new', { if: `</folder/> (<${shallow}>)` })).to.equal(201);
    });

    it('a shared LOCK prevents exclusive locks, and each owner of a shared lock may write', async () => {
      const [one, two] = [await shared.lock('/a.txt', {}, 'shared'), await shared.lock('/a.txt', {}, 'shared')];
      expect(await shared.lock('/a.txt')).to.equal('status 423');
      expect(await shared.status('PUT', '/a.txt')).to.equal(423);
      expect(await shared.status('PUT', '/a.txt', { if: `(<${one}>)` })).to.equal(204);
      expect(await shared.status('PUT', '/a.txt', { if: `(<${two}>)` })).to.equal(204);
      const { text } = await shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' } });
      expect(text).to.contain(one).and.contain(two).and.contain('<D:shared/>');
    });

    it('LOCK of a missing file creates the file', async () => {
      const response = await shared.send('LOCK', '/new.txt', { body: lockInfo(), headers: { timeout: 'Second-60' } });
      expect(response.status).to.equal(201);
      expect(response.text)
        .to.contain('<D:timeout>Second-60</D:timeout>')
        .and.contain('<owner xmlns="DAV:">ada</owner>');
      expect(shared.read('new.txt')).to.equal('');
      expect(await shared.lock('/missing/new.txt')).to.equal('status 409');
    });

    it('LOCK without a body refreshes the lock, and an option limits the lock timeout', async () => {
      await shared.start({ max_lock_timeout: '100s' });
      const token = await shared.lock('/a.txt', { timeout: 'Second-5' });
      const refresh = (headers: Record<string, string>) => shared.send('LOCK', '/a.txt', { headers });
      const refreshed = await refresh({ if: `(<${token}>)`, timeout: 'Infinite, Second-3' });
      expect(refreshed.status).to.equal(200);
      expect(refreshed.text).to.contain('<D:timeout>Second-100</D:timeout>');
      expect((await refresh({ if: '(<urn:uuid:other>)' })).status).to.equal(412);
      expect((await refresh({})).status).to.equal(400);
    });

    it('a lock created by LOCK expires after its timeout', async () => {
      const token = await shared.lock('/a.txt', { timeout: 'Second-1' });
      expect(token).to.match(/^urn:uuid:/);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect(await shared.status('PUT', '/a.txt')).to.equal(204);
    });

    it('webdav removes locks when their resources are deleted or moved', async () => {
      const token = await shared.lock('/folder/b.txt');
      expect(await shared.status('DELETE', '/folder')).to.equal(423);
      expect(await shared.status('DELETE', '/folder', { if: `</folder/b.txt> (<${token}>)` })).to.equal(204);
      await shared.status('MKCOL', '/folder');
      expect(await shared.status('PUT', '/folder/b.txt')).to.equal(201);
    });

    it('the admin API lists and removes WebDAV locks', async () => {
      const server = await shared.start();
      expect((await server.admin('/webdav/locks')).json()).to.deep.equal([]);
      const token = await shared.lock('/a.txt');
      const [lock] = (await server.admin('/webdav/locks?search=a.txt')).json() as Record<string, unknown>[];
      expect(lock).to.include({ token, href: '/a.txt', path: join(shared.root, 'a.txt'), exclusive: true, user: '' });
      expect((await server.admin('/webdav/locks?search=other')).json()).to.deep.equal([]);
      const remove = () => server.admin(`/webdav/locks/${encodeURIComponent(token)}`, { method: 'DELETE' });
      expect((await remove()).status).to.equal(200);
      expect((await remove()).status).to.equal(404);
      expect(await shared.status('PUT', '/a.txt')).to.equal(204);
    });

    it('webdav keeps locks across a configuration change', async () => {
      const server = await shared.start();
      const token = await shared.lock('/a.txt');
      await server.reconciler.load({
        apps: { http: { servers: { s: { routes: [{ handle: [shared.handler({ max_entries: 7 })] }] } } } },
      });
      expect(await shared.status('PUT', '/a.txt')).to.equal(423);
      expect(await shared.status('PUT', '/a.txt', { if: `(<${token}>)` })).to.equal(204);
    });
  });

  it('webdav supports entity tags, tagged resources and Not in the If field', async () => {
    const etag = (await shared.send('GET', '/a.txt')).headers.get('etag') ?? '';
    const put = (field: string) => shared.status('PUT', '/new', { if: field });
    expect(await put(`</a.txt> ([${etag}])`)).to.equal(201);
    expect(await put('</a.txt> (["other"])')).to.equal(412);
    expect(await put(`</a.txt> (["other"]) (Not ["other"])`)).to.equal(204);
    expect(await put('(<DAV:no-lock>)')).to.equal(412);
    expect(await put('(Not <DAV:no-lock>)')).to.equal(204);
    expect(await put('<http://other.example/a.txt> (Not <DAV:no-lock>)')).to.equal(204);
    for (const malformed of ['x', '(', '()', '(<a>', '<a>', '(Not)', '(<a>) x'])
      expect(await put(malformed)).to.equal(400);
  });
});
