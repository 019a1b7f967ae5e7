import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'chai';
import type { TestServer } from '@sluice/testing';
import { Site } from './site.ts';

describe('http.handlers.file_server with hostile requests and files', () => {
  let site: Site;
  let server: TestServer;
  let socket: Server;
  before(async () => {
    site = new Site({ 'a.txt': 'inside', 'd/e/f.txt': 'inside', 'index.html': 'inside' });
    writeFileSync(join(site.folder, 'secret.txt'), 'outside');
    mkdirSync(join(site.folder, 'other'));
    writeFileSync(join(site.folder, 'other/index.html'), 'outside');
    symlinkSync('../secret.txt', join(site.root, 'link'));
    symlinkSync('../other', join(site.root, 'linked'));
    symlinkSync('gone', join(site.root, 'broken'));
    symlinkSync('loop', join(site.root, 'loop'));
    execFileSync('mkfifo', [join(site.root, 'pipe')]);
    socket = createServer();
    await new Promise<void>((resolve) => {
      socket.listen(join(site.root, 'socket'), resolve);
    });
    server = await site.serve();
  });
  after(async () => {
    await server.close();
    await new Promise((resolve) => {
      socket.close(resolve);
    });
    site.remove();
  });

  const files: readonly [path: string, status: number, text: string][] = [
    ['/link', 200, 'outside'],
    ['/linked/', 200, 'outside'],
    ['/broken', 404, ''],
    ['/loop', 400, ''],
    ['/loop/x', 400, ''],
    ['/pipe', 404, ''],
    ['/socket', 400, ''],
    ['/pipe/x', 404, ''],
    ['/a.txt%00', 400, ''],
    ['/%00', 400, ''],
    ['/d%00/../a.txt', 400, ''],
    [`/${'n'.repeat(300)}`, 400, ''],
    [`/${'%C3%A9'.repeat(200)}`, 400, ''],
    [`/${'d/'.repeat(4000)}x`, 400, ''],
    [`/${'../'.repeat(4000)}a.txt`, 200, 'inside'],
    ['/%ff%fe', 404, ''],
  ];
  for (const [path, status, text] of files) {
    it(`file_server returns ${status} for ${path.length > 40 ? `${path.slice(0, 40)}…` : path}`, async () => {
      expect(await server.request(path)).to.include({ status, text });
    });
  }

  it('file_server returns 403 for unreadable files', async function () {
    if (process.getuid?.() === 0) this.skip();
    site.write('locked.txt', 'x');
    chmodSync(join(site.root, 'locked.txt'), 0);
    expect((await server.request('/locked.txt')).status).to.equal(403);
    site.write('locked/x.txt', 'x');
    chmodSync(join(site.root, 'locked'), 0);
    expect((await server.request('/locked/x.txt')).status).to.equal(403);
    chmodSync(join(site.root, 'locked'), 0o755);
  });

  it('file_server serves device files as empty files', async function () {
    if (!existsSync('/dev/null')) this.skip();
    const devices = await site.serve({ root: '/dev' });
    for (const name of ['null', 'zero'])
      expect(await devices.request(`/${name}`)).to.include({ status: 200, text: '' });
    await devices.close();
  });

  // Attack in docs/security.md: Random paths in the file server.
  it('no request path escapes the root of file_server', async () => {
    const segment = fc.constantFrom(
      '..',
      '%2e%2e',
      '.%2E',
      '...',
      '.',
      '',
      'd',
      'e',
      'secret.txt',
      'other',
      'index.html',
      'w',
      '%2f',
      '..%2f',
      '..%5c',
      '..\\',
      '%252e%252e',
      '%c0%ae%c0%ae',
      '..;',
      '..%00',
      '~',
      'C:',
    );
    const slash = fc.constantFrom('/', '//', '%2F', '/./', '\\');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(slash, segment), { minLength: 1, maxLength: 8 }), async (parts) => {
        const path = `/${parts.map(([before, name]) => before + name).join('')}`;
        const response = await server.request(path);
        expect(response.text, path).not.to.contain('outside');
        expect(response.status, path).to.be.oneOf([200, 308, 400, 404]);
      }),
      { numRuns: 2000 },
    );
  });

  it('file_server redirects only to the same host', async () => {
    const segment = fc.constantFrom(
      '',
      '.',
      '..',
      'd',
      'e',
      'a.txt',
      '%09',
      '%5C',
      'example.com',
      '%0d%0aX:',
      '@',
      ':',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), async (names) => {
        const response = await server.request(`/${names.join('/')}`);
        if (response.status !== 308) return;
        const location = response.headers.get('location') ?? '';
        expect(new URL(location, 'http://here').host, location).to.equal('here');
        expect(location).to.match(/^\/(?![/\\])[^\r\n\t]*$/);
      }),
      { numRuns: 2000 },
    );
  });
});
