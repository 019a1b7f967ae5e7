/**
 * Tests streams through each handler that can precede a proxy. Each message must arrive before the next one is sent. `waf` is tested if its
 * engine can be built.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, get, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2Server,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { expect } from 'chai';
import { geoDatabase, wafEngine } from '@sluice/testing';
import { signIn, startOpenIdProvider } from '../support/openid-provider.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, TestServer } from '../support/server.ts';

const engine = wafEngine();
const key = Buffer.from('0123456789abcdef0123456789abcdef');

/** Returns a JSON Web Token (RFC 7519) signed with HMAC SHA-256. */
function tokenOf(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** WAF rules that inspect every body that `waf` may read. */
const directives = `
SecRuleEngine On
SecRequestBodyAccess On
SecResponseBodyAccess On
SecResponseBodyMimeType text/event-stream application/grpc text/plain
SecRule ARGS|REQUEST_BODY|RESPONSE_BODY "@contains attack" "id:1,phase:4,deny"
`;

const authorization = `Bearer ${tokenOf({ sub: 'ada', exp: 4_000_000_000 })}`;

/** Returns a WebSocket text frame (RFC 6455). Client frames use a masking key of zeros. */
function frameOf(text: string, masked: boolean): Buffer {
  return Buffer.concat([
    Buffer.from([0x81, text.length | (masked ? 0x80 : 0)]),
    Buffer.alloc(masked ? 4 : 0),
    Buffer.from(text),
  ]);
}

/** Returns an encoded gRPC message. */
function messageOf(text: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** Collects the data received from a stream. */
function received(stream: Readable): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  stream.on('error', () => undefined);
  return () => text;
}

describe('handlers with event streams, WebSockets and gRPC streams', function () {
  this.timeout(20_000);
  const sandbox = new Sandbox();
  let server: TestServer;
  /** HTTP/2 connection used for gRPC calls. */
  let calls: ClientHttp2Session;
  const upstreams: (Server | Http2Server)[] = [];
  /** Responses and calls that the upstream holds, by path. */
  const events = new Map<string, ServerResponse[]>();
  const streams = new Map<string, ServerHttp2Stream>();

  async function listen(upstream: Server | Http2Server): Promise<string> {
    upstreams.push(upstream);
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  }

  /** Starts an upstream with event streams whose events the test writes, and with WebSockets that echo. */
  function startApplication(): Promise<string> {
    const application = createServer(({ url = '' }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'max-age=60' }).flushHeaders();
      events.set(url, [...(events.get(url) ?? []), response]);
    });
    application.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => undefined).on('end', () => socket.end());
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.on('data', (frame: Buffer) => socket.write(frameOf(`echo ${frame.subarray(6).toString()}`, false)));
    });
    return listen(application);
  }

  function startGrpc(): Promise<string> {
    const service = createHttp2Server();
    service.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      streams.set(headers[':path'] ?? '', stream);
    });
    return listen(service);
  }

  const names = [
    'rate_limit',
    'cache',
    'replace_response',
    'jwt',
    'maxmind_geolocation',
    'mirror',
    'encode',
    'concurrency_limit',
    'oidc',
    ...(engine === null ? [] : ['waf']),
    'all',
  ];
  /** Session cookies set by the `oidc` handler. */
  let cookie = '';
  /** Directory served by the `webdav` handler. */
  let share = '';

  before(async () => {
    const [application, grpc] = [await startApplication(), await startGrpc()];
    const countries = { '127.0.0.0/8': { country: { iso_code: 'DE' } } };
    const provider = await startOpenIdProvider();
    upstreams.push(provider.server);
    share = await sandbox.write('share/.keep', '').then((file) => join(file, '..'));
    const database = await sandbox.write('countries.mmdb', '');
    await writeFile(database, geoDatabase('GeoLite2-Country', countries));
    // Handlers in the default order of directives.
    const handlers: Readonly<Record<string, object>> = {
      cache: { handler: 'cache', ttl: '1m' },
      rate_limit: { handler: 'rate_limit', rate_limits: { all: { key: 'all', window: '1m', max_events: 100 } } },
      jwt: {
        handler: 'authentication',
        providers: { jwt: { sign_key: key.toString('base64'), sign_alg: 'HS256' } },
      },
      encode: { handler: 'encode', encodings: { gzip: {} }, minimum_length: 1 },
      replace_response: { handler: 'replace_response', replacements: [{ search: 'word', replace: 'text' }] },
      mirror: { handler: 'mirror', upstreams: [{ dial: application }] },
      concurrency_limit: { handler: 'concurrency_limit', max: 100, queue: 10 },
      oidc: {
        handler: 'authentication',
        providers: {
          oidc: {
            issuer: provider.issuer,
            client_id: 'app',
            client_secret: 'secret',
            cookie_secrets: [key.toString()],
            redirect_uri: '/oidc/callback',
          },
        },
      },
      ...(engine !== null && { waf: { handler: 'waf', engine, directives } }),
    };
    const geography = { maxmind_geolocation: { db_path: database, allow_countries: ['DE'] } };
    const proxies = {
      handler: 'subroute',
      routes: [
        {
          match: [{ path: ['*/grpc'] }],
          handle: [
            {
              handler: 'reverse_proxy',
              upstreams: [{ dial: grpc }],
              transport: { protocol: 'http', versions: ['h2c', '2'] },
            },
          ],
        },
        { handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: application }] }] },
      ],
    };
    const routes = names.map((name) => ({
      match: [{ path: [`/${name}/*`], ...(name === 'maxmind_geolocation' || name === 'all' ? geography : {}) }],
      handle: [...Object.values(handlers).filter((each) => name === 'all' || each === handlers[name]), proxies],
    }));
    routes.push({ match: [{ path: ['/webdav/*'] }], handle: [{ handler: 'webdav', root: share, prefix: '/webdav' }] });
    const protocols = { protocols: ['h1', 'h2', 'h2c'] };
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, routes, protocols));
    cookie = await signIn(server, '/oidc/', '/oidc/callback');
    calls = connectHttp2(`http://127.0.0.1:${server.httpPort}`);
    calls.on('error', () => undefined);
  });
  after(async () => {
    calls?.destroy();
    for (const upstream of upstreams) {
      if ('closeAllConnections' in upstream) upstream.closeAllConnections();
      upstream.close();
    }
    for (const stream of streams.values()) stream.session?.destroy();
    await server?.stop();
    await sandbox.remove();
  });

  for (const name of names) {
    it(`the ${name} handler forwards each server-sent event without waiting for the next one`, async () => {
      const path = `/${name}/events`;
      const headers = {
        Accept: 'text/event-stream',
        'Accept-Encoding': 'gzip',
        Authorization: authorization,
        Cookie: cookie,
      };
      const asked = get({ host: '127.0.0.1', port: server.httpPort, path, headers });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      expect(response.statusCode).to.equal(200);
      const isEncoded = response.headers['content-encoding'] === 'gzip';
      expect(isEncoded).to.equal(name === 'encode' || name === 'all');
      const read = received(isEncoded ? response.pipe(createGunzip()) : response);
      const word = name === 'replace_response' || name === 'all' ? 'text' : 'word';
      let expected = '';
      for (const number of [1, 2, 3]) {
        events.get(path)?.[0]?.write(`data: word ${number}\n\n`);
        expected += `data: ${word} ${number}\n\n`;
        await until(() => read() === expected, `event ${number}`);
      }
      // Verifies that the request was sent only once and was not duplicated.
      expect(events.get(path)).to.have.length(1);
      asked.destroy();
    });

    it(`the ${name} handler forwards each WebSocket message without waiting for the next one`, async () => {
      const headers = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        Authorization: authorization,
        Cookie: cookie,
      };
      const asked = request({ host: '127.0.0.1', port: server.httpPort, path: `/${name}/socket`, headers }).end();
      const [, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket];
      const read = received(socket);
      let expected = '';
      for (const text of ['one', 'word', 'three']) {
        socket.write(frameOf(text, true));
        expected += frameOf(`echo ${text}`, false).toString('latin1');
        await until(() => read() === expected, `the echo of ${text}`);
      }
      socket.destroy();
    });

    it(`the ${name} handler forwards each message of a bidirectional gRPC stream without waiting for the next one`, async () => {
      const path = `/${name}/grpc`;
      const call = calls.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: path,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization,
        cookie,
      });
      const responses = received(call);
      await until(() => streams.has(path), 'the call');
      const stream = streams.get(path) as ServerHttp2Stream;
      const requests = received(stream);
      let [up, down] = ['', ''];
      for (const text of ['one', 'word', 'three']) {
        call.write(messageOf(text));
        up += messageOf(text).toString('latin1');
        await until(() => requests() === up, `request message ${text}`);
        stream.write(messageOf(`re ${text}`));
        down += messageOf(`re ${text}`).toString('latin1');
        await until(() => responses() === down, `response message ${text}`);
      }
      const trailers = once(call, 'trailers');
      call.end();
      stream.end();
      expect(((await trailers) as [IncomingHttpHeaders])[0]['grpc-status']).to.equal('0');
    });
  }

  // The WebDAV handler responds to all requests, so no stream passes through it to an upstream.
  it('the webdav handler writes each mebibyte of an upload to disk without waiting for the next one', async () => {
    const upload = request({ host: '127.0.0.1', port: server.httpPort, method: 'PUT', path: '/webdav/file' });
    const mebibyte = 1024 * 1024;
    const stored = (): number => readdirSync(share).reduce((sum, name) => sum + statSync(join(share, name)).size, 0);
    for (const pieces of [1, 2, 3]) {
      upload.write(Buffer.alloc(mebibyte, 'a'));
      // The handler buffers small pieces before it writes them.
      await until(() => stored() > (pieces - 0.5) * mebibyte, `piece ${pieces}`);
    }
    const responded = once(upload, 'response');
    upload.end();
    const [response] = (await responded) as [IncomingMessage];
    expect(response.statusCode).to.equal(201);
    response.resume();
  });

  it('the jwt and oidc handlers reject requests without a token or session, and the mirror handler sends a copy of a plain request', async () => {
    for (const name of ['jwt', 'oidc']) expect((await server.http(`/${name}/events`)).status).to.equal(401);
    const path = '/mirror/plain';
    const asked = get({ host: '127.0.0.1', port: server.httpPort, path });
    await until(() => events.get(path)?.length === 2, 'the request and its copy');
    asked.destroy();
  });
});
