/** Tests proxied requests and served files when placeholders contain client input or have no value. */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@sluice/base';
import { httpUpstream, listeningServer, conversation, Opened, proxyTo, serving } from './support.ts';

describe('http.handlers: client input in placeholders', () => {
  const opened = new Opened();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-values-'));
  before(async () => {
    for (const name of ['sites', 'sites-', 'sites/acme']) await mkdir(join(folder, name), { recursive: true });
    for (const name of ['a.txt', 'sites/a.txt', 'sites-/a.txt', 'sites/acme/a.txt', 'sites/acme/index.html'])
      await writeFile(join(folder, name), name);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => opened.close());

  const rewrites: readonly [rewrite: JsonObject, target: string, sent: string][] = [
    [
      { strip_path_prefix: '/api', query: { add: [{ key: 'p', val: '{http.request.uri.path}' }] } },
      '/api/x',
      'GET /x?p=%2Fapi%2Fx',
    ],
    [{ method: 'POST', query: { add: [{ key: 'm', val: '{http.request.method}' }] } }, '/a', 'POST /a?m=GET'],
    [
      { uri: '/new?x=1', query: { add: [{ key: 'q', val: '{http.request.uri.query}' }] } },
      '/a?o=1',
      'GET /new?q=o%3D1&x=1',
    ],
    [{ method: 'PUT', uri: '/new{http.request.uri.path}?m={http.request.method}' }, '/k', 'PUT /new/k?m=GET'],
  ];
  for (const [rewrite, target, sent] of rewrites) {
    it(`reverse_proxy sends ${sent} for GET ${target}, because rewrite placeholders refer to the original request`, async () => {
      const upstream = opened.add(
        await httpUpstream((request, response) => response.end(`${request.method} ${request.url}`)),
      );
      const server = opened.add(await serving([proxyTo(upstream.dial, { rewrite })]));
      expect((await server.request(target)).text).to.equal(sent);
    });
  }

  // Attack in docs/security.md: CONNECT to `reverse_proxy`.
  it('reverse_proxy rejects CONNECT with 501, because it would create a tunnel', async () => {
    let requests = 0;
    const upstream = opened.add(await httpUpstream((_request, response) => response.end(String(++requests))));
    const server = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    expect(await conversation(server.port, 'CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n')).to.match(/^HTTP\/1\.1 501 /);
    expect(requests).to.equal(0);
  });

  it('reverse_proxy sends a length for an empty chunked body that it has buffered', async () => {
    const upstream = opened.add(
      await httpUpstream((request, response) => response.end(JSON.stringify(request.headers))),
    );
    const server = opened.add(await listeningServer([proxyTo(upstream.dial, { request_buffers: -1 })]));
    const sent = 'POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await conversation(server.port, sent))
      .to.contain('"content-length":"0"')
      .and.not.contain('"chunked"');
  });

  const roots = ['sites/{http.request.header.Tenant}', 'sites-{http.request.header.Tenant}', 'sites/{unknown.name}'];
  for (const root of roots) {
    const path = join(folder, root);
    const handlers: readonly [what: string, handlers: JsonObject[]][] = [
      ['file_server', [{ handler: 'file_server', root: path }]],
      ['file_server after vars', [{ handler: 'vars', root: path }, { handler: 'file_server' }]],
    ];
    for (const [what, list] of handlers) {
      it(`${what} with the root ${root} returns 404 if the placeholder has no value`, async () => {
        const server = opened.add(await serving(list));
        expect((await server.request('/a.txt')).status).to.equal(404);
      });
    }
  }

  it('file_server serves the directory selected by a placeholder in the root', async () => {
    const server = opened.add(await serving([{ handler: 'file_server', root: join(folder, roots[0] as string) }]));
    expect((await server.request({ path: '/a.txt', headers: { Tenant: 'acme' } })).text).to.equal('sites/acme/a.txt');
  });

  it('the file matcher finds no files if the root or an entry contains a placeholder without a value', async () => {
    for (const file of [
      { root: join(folder, roots[0] as string), try_files: ['/a.txt'] },
      { root: folder, try_files: ['/{http.request.header.Tenant}/a.txt'] },
      { root: folder, try_files: ['/none', '/{http.request.header.Tenant}/a.txt'], try_policy: 'first_exist_fallback' },
    ]) {
      const routes = [{ match: [{ file }], handle: [{ handler: 'static_response', body: 'found' }] }];
      const server = opened.add(await serving([{ handler: 'subroute', routes }]));
      expect((await server.request('/')).text).to.equal('');
    }
  });

  it('reverse_proxy does not dial an address that contains a placeholder without a value', async () => {
    const upstream = opened.add(await httpUpstream((_request, response) => response.end('dialed')));
    const port = upstream.dial.split(':')[1] as string;
    const server = opened.add(await serving([proxyTo(`{http.request.header.Tenant}:${port}`)]));
    expect((await server.request('/')).status).to.equal(502);
  });

  it('file_server sends a redirect without a body if a rewrite has changed the method to HEAD', async () => {
    const server = opened.add(
      await listeningServer([
        { handler: 'rewrite', method: 'HEAD' },
        { handler: 'file_server', root: folder },
      ]),
    );
    const text = await conversation(server.port, 'GET /sites/acme HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(text)
      .to.match(/^HTTP\/1\.1 308 /)
      .and.match(/\r\n\r\n$/);
  });
});
