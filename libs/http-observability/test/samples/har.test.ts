import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { archiveOf, recordsIn } from '../../src/samples/har.ts';

const record = {
  at: '2026-01-02T03:04:05.678Z',
  route: 'apps.http.servers.s.routes[0]',
  server: 's',
  request: {
    method: 'POST',
    proto: 'HTTP/2.0',
    host: 'a.example:8443',
    path: '/x%20y',
    query: 'a=1&b=2',
    client_ip: '192.0.2.1',
    remote_ip: '192.0.2.1',
    remote_port: 0,
    local_port: 8443,
    tls: { version: '', server_name: 'a.example', alpn: '' },
    headers: { accept: ['a', 'b'], cookie: ['REDACTED'] },
    bytes: 12,
  },
  response: { status: 201, headers: {}, bytes: 0 },
  duration_ms: 1.5,
  upstream: '10.0.0.1:80',
};

const importOf = (archive: Json) => recordsIn(Buffer.from(JSON.stringify(archive)));

describe('HTTP archives of request samples', () => {
  it('recordsIn imports an exported record unchanged', () => {
    expect(importOf(archiveOf([record]))).to.deep.equal([record]);
  });

  it('archiveOf keeps recorded bodies, and recordsIn removes secrets from imported bodies', () => {
    const withBody = (body: Json, type = 'application/json') => {
      const headers = { ...record.request.headers, 'content-type': [type] };
      return { ...record, request: { ...record.request, headers, body } };
    };
    for (const each of [withBody('{"a":1}'), withBody({ base64: 'AAE=' }, 'image/png')])
      expect(importOf(archiveOf([each]))).to.deep.equal([each]);
    expect(importOf(archiveOf([withBody('{"password":"geheim"}')]))).to.deep.equal([
      withBody('{"password":"REDACTED"}'),
    ]);
  });

  it('archiveOf creates entries with all fields that HAR 1.2 requires', () => {
    const [entry] = (archiveOf([record])['log'] as { entries: Record<string, Record<string, unknown>>[] }).entries;
    expect(entry).to.include.keys('startedDateTime', 'time', 'request', 'response', 'cache', 'timings');
    expect(entry?.['request']).to.include({ url: 'https://a.example:8443/x%20y?a=1&b=2', bodySize: 12 });
    expect(entry?.['request']?.['queryString']).to.deep.equal([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    expect(entry?.['response']).to.include.keys('status', 'content', 'redirectURL', 'headersSize', 'bodySize');
  });

  it('recordsIn imports a browser HAR file and omits pseudo-header fields', () => {
    const headers = [
      { name: ':authority', value: 'a.example' },
      { name: 'Accept', value: '*/*' },
    ];
    const request = { method: 'GET', url: 'https://a.example/', httpVersion: 'h2', headers };
    const [imported] = importOf({ log: { entries: [{ request }] } });
    expect(imported).to.deep.include({ server: null, route: null });
    expect(imported?.['request']).to.deep.include({
      proto: 'HTTP/2.0',
      host: 'a.example',
      path: '/',
      query: null,
      local_port: 443,
      headers: { accept: ['*/*'] },
    });
  });

  it('recordsIn imports a field named __proto__ like any other', () => {
    const request = { url: 'http://a.example/', headers: [{ name: '__proto__', value: 'x' }] };
    const [imported] = importOf({ log: { entries: [{ request }] } });
    const { headers } = (imported as { request: { headers: object } } | undefined)?.request ?? { headers: {} };
    expect(Object.entries(headers)).to.deep.equal([['__proto__', ['x']]]);
  });

  it('recordsIn removes secrets from an imported HAR file', () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.secret';
    const headers = [
      ['Cookie', 'id=secret'],
      ['Authorization', 'Basic secret'],
      ['X-Forwarded-Authorization', 'secret'],
      ['X-Api-Key', 'secret'],
      ['Referer', 'https://u:secret@a.example/?token=secret'],
      ['Sec-WebSocket-Protocol', `chat, ${jwt}`],
      ['X-Upstream', 'Bearer secret-secret'],
    ].map(([name = '', value = '']) => ({ name, value }));
    const url = `https://u:secret@a.example/${jwt}/x?token=secret&q=${jwt}`;
    const [imported] = importOf({ log: { entries: [{ request: { url, headers } }] } });
    expect(JSON.stringify(imported)).to.not.include('secret');
    expect(imported?.['request']).to.deep.include({ path: '/REDACTED/x', query: 'token=REDACTED&q=REDACTED' });
  });

  it('recordsIn skips entries that are not HTTP requests', () => {
    const entries = ['data:,x', 'blob:https://a.example/1', 'wss://a.example/socket'].map((url) => ({
      request: { url },
    }));
    expect(importOf({ log: { entries } }).map(({ request }) => (request as { path: string }).path)).to.deep.equal([
      '/socket',
    ]);
  });

  it('recordsIn replaces fields of an unexpected type', () => {
    const own = { server: 1, route: {}, upstream: [], client: 'x', port: 'y' };
    const request = { url: 'http://a.example/', bodySize: 'z' };
    const entry = { request, response: { status: {} }, time: 'q', startedDateTime: 1, _sluice: own };
    const [imported] = importOf({ log: { entries: [entry] } });
    expect(imported).to.deep.include({ server: null, route: null, upstream: null, at: '', duration_ms: 0 });
    expect(imported?.['request']).to.deep.include({ client_ip: '', local_port: 80, bytes: 0 });
  });

  for (const [text, message] of [
    ['{', /^archive: not JSON: /],
    ['[]', /^archive: expected \{"log": \{"entries": \[…\]\}\}/],
    ['{"log":{"entries":[{}]}}', /^archive: log\.entries\[0\]: has no request$/],
    ['{"log":{"entries":[{"request":{"url":"x"}}]}}', /^archive: log\.entries\[0\]\.request\.url: not a URL$/],
    ['{"log":{"entries":[{"request":{"url":"http://a/","method":"A B"}}]}}', /request\.method: "A B" is not a method$/],
    [
      '{"log":{"entries":[{"request":{"url":"http://a/","headers":[{"name":"a b","value":""}]}}]}}',
      /request\.headers: "a b" is not a header field$/,
    ],
    ['{"log":{"entries":[{"request":{"url":"http://a/","headers":[1]}}]}}', /request\.headers: expected \{"name"/],
  ] as const)
    it(`recordsIn rejects an archive such as ${text} and reports the position of the error`, () => {
      expect(() => recordsIn(Buffer.from(text))).to.throw(message);
    });
});
