/** Tests requests that try to escape from the root directory, or to exhaust memory, time or locks. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { asking, hrefs, lockInfo, setting, Shared } from './share.ts';

describe('attacks on http.handlers.webdav', () => {
  let shared: Shared;
  beforeEach(() => {
    shared = new Shared({ 'a.txt': 'first', 'folder/b.txt': 'second' });
    writeFileSync(join(shared.folder, 'outside.txt'), 'outside');
  });
  afterEach(() => shared.close());

  const propfind = (body: string) => shared.send('PROPFIND', '/a.txt', { headers: { depth: '0' }, body });

  // Attack in docs/security.md: Entities, external entities and document type declarations in XML.
  it('webdav rejects XML with entities, without expanding them', async () => {
    const entities = ['<!ENTITY a0 "ha">'];
    for (let i = 1; i < 30; i++) entities.push(`<!ENTITY a${i} "&a${i - 1};&a${i - 1};">`);
    const bomb = `<!DOCTYPE x [${entities.join('')}]><propfind xmlns="DAV:"><prop><x>&a29;</x></prop></propfind>`;
    const file =
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:"><prop>&f;</prop></propfind>';
    for (const body of [bomb, file, '<!DOCTYPE x><propfind xmlns="DAV:"><allprop/></propfind>'])
      expect((await propfind(body)).status).to.equal(400);
  });

  // Attack in docs/security.md: Large or deeply nested XML, and XML with long names or many namespaces.
  it('webdav limits the size of XML, its nesting depth, and the length of its names', async () => {
    const started = performance.now();
    const nested = (count: number): string => '<a>'.repeat(count) + '</a>'.repeat(count);
    expect((await propfind(nested(9000))).status).to.equal(400);
    expect((await propfind(asking(nested(100)))).status).to.equal(400);
    expect((await propfind(asking('<x:a/>'.repeat(300)))).status).to.equal(400);
    expect((await propfind(asking(' '.repeat(70_000)))).status).to.equal(413);
    const declared = Array.from({ length: 2000 }, (_, i) => `xmlns:p${i}="u"`).join(' ');
    expect((await propfind(`<propfind xmlns="DAV:" ${declared}><allprop/></propfind>`)).status).to.equal(400);
    expect(
      (await propfind(`<propfind xmlns="DAV:" xmlns:p="${'u'.repeat(2000)}"><allprop/></propfind>`)).status,
    ).to.equal(400);
    expect((await propfind(asking(`<x:${'n'.repeat(2000)}/>`))).status).to.equal(400);
    expect(performance.now() - started).to.be.below(2000);
  });

  // Attack in docs/security.md: Large or deeply nested XML, and XML with long names or many namespaces.
  it('webdav rejects invalid namespaces and incomplete XML', async () => {
    for (const body of [
      '<a',
      '<p:propfind/>',
      '<propfind xmlns="DAV:" xmlns:p=""/>',
      '<x/>',
      '\xff',
      '<a:b:c xmlns:a="x"/>',
    ])
      expect((await propfind(body)).status, body).to.equal(400);
  });

  // Attack in docs/security.md: Large properties of a resource.
  it('webdav limits the number of properties of a resource', async () => {
    const large = setting(`<x:v>${'v'.repeat(60_000)}</x:v>`);
    expect((await shared.send('PROPPATCH', '/a.txt', { body: large })).text).to.contain('200 OK');
    const more = setting(`<x:w>${'w'.repeat(60_000)}</x:w>`);
    expect((await shared.send('PROPPATCH', '/a.txt', { body: more })).text).to.contain('507 Insufficient Storage');
    const huge = setting(`<x:v>${'v'.repeat(70_000)}</x:v>`);
    expect((await shared.send('PROPPATCH', '/a.txt', { body: huge })).status).to.equal(413);
    expect((await shared.send('PROPPATCH', '/a.txt', { body: setting(' '.repeat(300_000)) })).status).to.equal(413);
  });

  // Attack in docs/security.md: Paths and destinations with dot segments, percent-encoded characters or NUL; destinations on other hosts.
  it('webdav does not leave the root directory through dot segments, escapes or destinations', async () => {
    const paths = ['/../outside.txt', '/%2e%2e/outside.txt', '/..%2foutside.txt', '/folder/..%2f..%2foutside.txt'];
    for (const path of paths) {
      expect(await shared.status('GET', path), path).to.equal(404);
      expect(await shared.status('COPY', '/a.txt', { destination: path }), path).to.be.oneOf([201, 204]);
      expect(await shared.status('COPY', '/a.txt', { destination: `http://dav.example${path}` }), path).to.equal(204);
      expect(await shared.status('DELETE', path), path).to.equal(204);
    }
    expect(readdirSync(shared.folder).sort()).to.deep.equal(['outside.txt', 'root']);
    for (const path of ['/a%00b', '/%00']) {
      expect(await shared.status('GET', path), path).to.equal(400);
      expect(await shared.status('COPY', '/a.txt', { destination: path }), path).to.equal(400);
    }
    for (const destination of ['a.txt', '//other/a.txt', 'file:///etc/passwd', 'http://dav.example@other/x', '/%zz'])
      expect(await shared.status('COPY', '/a.txt', { destination }), destination).to.be.oneOf([400, 502]);
  });

  // Attack in docs/security.md: Access to temporary and hidden files, including COPY and MOVE of a collection that contains them.
  it('webdav does not let clients access its temporary files', async () => {
    shared.write('.sluice-webdav-x.tmp', 'partial');
    shared.write('folder/.sluice-webdav-y.tmp', 'partial');
    expect(await shared.status('GET', '/.sluice-webdav-x.tmp')).to.equal(404);
    expect(await shared.status('PUT', '/.sluice-webdav-z.tmp')).to.equal(404);
    expect(await shared.status('COPY', '/a.txt', { destination: '/.sluice-webdav-z.tmp/x' })).to.equal(403);
    expect(hrefs(await shared.send('PROPFIND', '/', { headers: { depth: '1' } }))).to.deep.equal([
      '/',
      '/a.txt',
      '/folder/',
    ]);
    expect(await shared.status('COPY', '/folder', { destination: '/copy' })).to.equal(201);
    expect(readdirSync(join(shared.root, 'copy'))).to.deep.equal(['b.txt']);
  });

  // Attack in docs/security.md: COPY and MOVE of a resource onto itself, into itself or over its parent, including through links.
  it('webdav rejects COPY and MOVE of a resource to itself, into itself or over its parent, even through links', async () => {
    mkdirSync(join(shared.root, 'folder/in'));
    symlinkSync('folder', join(shared.root, 'link'));
    symlinkSync('.', join(shared.root, 'self'));
    for (const method of ['COPY', 'MOVE'])
      for (const [from, to] of [
        ['/a.txt', '/a.txt'],
        ['/a.txt', '/self/a.txt'],
        ['/folder', '/folder/'],
        ['/folder', '/folder/in/x'],
        ['/folder', '/link/x'],
        ['/folder', '/link'],
        ['/link', '/folder'],
        ['/folder/in', '/folder'],
        ['/folder/b.txt', '/link'],
        ['/', '/folder/x'],
      ] as const)
        expect(await shared.status(method, from, { destination: to }), `${method} ${from} ${to}`).to.equal(403);
    expect(shared.read('a.txt')).to.equal('first');
    expect(shared.read('folder/b.txt')).to.equal('second');
    expect(readdirSync(shared.root).sort()).to.deep.equal(['a.txt', 'folder', 'link', 'self']);
  });

  it('webdav does not create the root directory, or a file at its path', async () => {
    rmSync(shared.root, { recursive: true });
    await shared.start({ prefix: '/dav' });
    for (const method of ['PUT', 'MKCOL', 'PROPFIND', 'PROPPATCH', 'GET'])
      expect(await shared.status(method, '/dav'), method).to.be.within(404, 409);
    expect(await shared.lock('/dav')).to.equal('status 409');
    expect(await shared.status('PUT', '/dav/a.txt')).to.equal(409);
    expect(readdirSync(shared.folder)).to.deep.equal(['outside.txt']);
  });

  it('webdav does not read, replace or lock special files', async () => {
    symlinkSync('missing', join(shared.root, 'dangling'));
    expect(spawnSync('mkfifo', [join(shared.root, 'pipe')]).status).to.equal(0);
    for (const name of ['/dangling', '/pipe']) {
      for (const method of ['GET', 'DELETE', 'PROPFIND']) expect(await shared.status(method, name)).to.equal(404);
      expect(await shared.status('PUT', name)).to.equal(403);
      expect(await shared.status('MKCOL', name)).to.equal(409);
      expect(await shared.status('COPY', '/a.txt', { destination: name })).to.equal(403);
      expect(await shared.lock(name)).to.equal('status 403');
    }
    expect(readdirSync(shared.root).sort()).to.deep.equal(['a.txt', 'dangling', 'folder', 'pipe']);
  });

  // Attack in docs/security.md: Symbolic links that lead outside the root or form a loop.
  it('PROPFIND with Depth: infinity does not follow links to directories', async () => {
    symlinkSync('..', join(shared.root, 'folder/up'));
    const response = await shared.send('PROPFIND', '/', { headers: { depth: 'infinity' } });
    expect(hrefs(response)).to.deep.equal(['/', '/a.txt', '/folder/', '/folder/b.txt', '/folder/up/']);
  });

  // Attack in docs/security.md: Floods of PROPFIND requests with `Depth: infinity`.
  it('PROPFIND fails if there are more resources than max_entries', async () => {
    await shared.start({ max_entries: 20 });
    for (let i = 0; i < 10; i++) for (let j = 0; j < 10; j++) shared.write(`many/${i}/${j}`);
    const response = await shared.send('PROPFIND', '/many');
    expect(response.status).to.equal(403);
    expect(response.text).to.contain('<D:propfind-finite-depth>');
    expect((await shared.send('PROPFIND', '/many', { headers: { depth: '1' } })).status).to.equal(207);
    for (let i = 0; i < 30; i++) shared.write(`many/${i}.txt`);
    expect(await shared.status('PROPFIND', '/many', { depth: '1' })).to.equal(507);
  });

  // Attack in docs/security.md: Floods of PROPFIND requests with `Depth: infinity`.
  it('PROPFIND limits the number of concurrent requests with Depth: infinity', async () => {
    for (let i = 0; i < 200; i++) shared.write(`many/${i}/x`);
    await shared.start();
    const responses = await Promise.all(Array.from({ length: 20 }, () => shared.send('PROPFIND', '/many')));
    const rejected = responses.filter(({ status }) => status === 503);
    expect(rejected).to.have.length(16);
    expect(rejected[0]?.headers.get('retry-after')).to.equal('1');
    expect(await shared.status('PROPFIND', '/many')).to.equal(207);
  });

  // Attack in docs/security.md: Floods of LOCK requests; large `owner` elements and If fields.
  it('LOCK fails if the number of locks would exceed max_locks', async () => {
    await shared.start({ max_locks: 3 });
    for (const name of ['a', 'b', 'c']) expect(await shared.lock(`/${name}`)).to.match(/^urn:uuid:/);
    const response = await shared.send('LOCK', '/d', { body: lockInfo() });
    expect(response.status).to.equal(507);
    expect(shared.read('d')).to.equal(null);
    const owner = `<owner>${'o'.repeat(5000)}</owner>`;
    expect(
      (await shared.send('LOCK', '/a.txt', { body: lockInfo().replace(/<owner>.*<\/owner>/, owner) })).status,
    ).to.equal(413);
  });

  // Attack in docs/security.md: Floods of LOCK requests; large `owner` elements and If fields.
  it('webdav limits the conditions of an If field', async () => {
    expect(await shared.status('PUT', '/a.txt', { if: '(<a>)'.repeat(1000) })).to.equal(400);
  });
});
