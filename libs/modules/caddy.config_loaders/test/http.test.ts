import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { register } from '@sluice/caddy.config_loaders';
import { apps, defineModule, inlineModule, options, Registry } from '@sluice/registry';
import {
  configLoaders,
  serverIdentity,
  type ConfigLoader,
  type LoadedConfig,
  type ServerIdentity,
} from '@sluice/contracts';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type JsonObject } from '@sluice/base';
import { throwAwayCertificate } from '@sluice/testing';

/** Provisions a configuration loader in the same way as the server. */
async function loaderOf(config: JsonObject, identity?: ServerIdentity): Promise<ConfigLoader> {
  let loader: ConfigLoader | undefined;
  const host = defineModule(apps, {
    name: 'host',
    help: 'Hosts a loader.',
    config: options({ load: inlineModule('It.', configLoaders, 'module') }),
    async provision({ load }, context) {
      if (identity !== undefined) context.provide(serverIdentity, identity);
      loader = await context.loadInline(configLoaders, load ?? {}, 'module', 'load');
      return {};
    },
  });
  const registry = new Registry().use(register).add(host);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
  await runtime.abort(await runtime.prepare({ apps: { host: { load: { module: 'http', ...config } } } }));
  return loader as ConfigLoader;
}

async function load(config: JsonObject, identity?: ServerIdentity): Promise<LoadedConfig> {
  return (await loaderOf(config, identity)).load(new AbortController().signal);
}

async function errorOf(config: JsonObject): Promise<string> {
  return load(config).then(
    () => expect.fail('loaded it'),
    (error: unknown) => (error as Error).message,
  );
}

describe('caddy.config_loaders.http', () => {
  let server: Server;
  let origin: string;
  let asked: IncomingMessage[];

  const received: RequestListener = (request, response) => {
    asked.push(request);
    const [, what = '', argument = ''] = (request.url ?? '').split('/');
    if (what === 'status') response.writeHead(Number(argument)).end('{}');
    else if (what === 'to') response.writeHead(302, { Location: decodeURIComponent(argument) }).end();
    else if (what === 'slow') setTimeout(() => response.end('{}'), 300).unref();
    else if (what === 'nothing') response.end();
    else if (what === 'cut') response.writeHead(200, { 'Content-Length': '9' }).write('{', () => response.destroy());
    else
      response.writeHead(200, argument === '' ? {} : { 'Content-Type': decodeURIComponent(argument) }).end('{"a":1}');
  };

  before(async () => {
    server = createServer(received);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    asked = [];
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('the HTTP loader returns the body with its content type', async () => {
    const { body, adapter, contentType } = await load({ url: `${origin}/ok/text%2Fyaml` });
    expect(body.toString()).to.equal('{"a":1}');
    expect([adapter, contentType]).to.deep.equal([null, 'text/yaml']);
    expect(await load({ url: `${origin}/ok`, adapter: 'toml' })).to.include({ adapter: 'toml', contentType: null });
    expect(asked.map(({ method }) => method)).to.deep.equal(['GET', 'GET']);
  });

  it('the HTTP loader sends the configured method and header fields, and replaces placeholders in them', async () => {
    process.env.LOADER_TEST = 'from-env';
    const header = { 'X-One': ['{env.LOADER_TEST}'], 'X-Two': ['a', 'b'], Host: ['config.example'], 'X-None': null };
    await load({ url: `${origin}/{env.LOADER_TEST}`, method: 'POST', header });
    delete process.env.LOADER_TEST;
    expect(asked[0]).to.include({ method: 'POST', url: '/from-env' });
    expect(asked[0]?.headers).to.include({ 'x-one': 'from-env', 'x-two': 'a, b', host: 'config.example' });
    expect(asked[0]?.headers).to.not.have.property('x-none');
  });

  it('the HTTP loader follows up to ten redirects', async () => {
    expect((await load({ url: `${origin}/to/%2Fok%2Ftext%2Fjson` })).body.toString()).to.equal('{"a":1}');
    expect(await errorOf({ url: `${origin}/to/.` })).to.contain('more than 10 redirects');
    expect(await errorOf({ url: `${origin}/to/file%3A%2F%2F%2Fetc%2Fpasswd` })).to.contain(
      'is not an http or https URL',
    );
  });

  it('the HTTP loader does not send credentials to another origin', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers);
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const header = { Authorization: ['Bearer secret'], 'X-Key': ['secret'] };
    await load({ url: `${origin}/to/${encodeURIComponent(`http://127.0.0.1:${port}/`)}`, header });
    expect(seen).to.have.length(1);
    expect(JSON.stringify(seen)).to.not.contain('secret');
    await load({ url: `http://127.0.0.1:${port}/`, header });
    expect(seen[1]).to.include({ authorization: 'Bearer secret', 'x-key': 'secret' });
    await new Promise((resolve) => other.close(resolve));
  });

  const failures: [name: string, path: string, message: RegExp][] = [
    ['a response with status 500', '/status/500', /\/status\/500 responded with status 500/],
    ['a response with status 404', '/status/404', /responded with status 404/],
    ['a response with status 304', '/status/304', /responded with status 304/],
    ['a response without a body', '/nothing', /\/nothing responded with an empty body/],
    ['a truncated response', '/cut', /aborted/],
  ];
  for (const [name, path, message] of failures) {
    it(`the HTTP loader fails for ${name}`, async () => {
      expect(await errorOf({ url: origin + path })).to.match(message);
    });
  }

  it('the HTTP loader fails on a timeout, or if there is no server', async () => {
    expect(await errorOf({ url: `${origin}/slow`, timeout: '50ms' })).to.contain('did not respond within 50 ms');
    expect(await errorOf({ url: 'http://127.0.0.1:1/' })).to.contain('ECONNREFUSED');
  });

  it('the HTTP loader stops when it is aborted', async () => {
    const stop = new AbortController();
    const loading = (await loaderOf({ url: `${origin}/slow` })).load(stop.signal);
    stop.abort();
    const error = (await loading.catch((it: unknown) => it)) as Error;
    expect(error.message).to.contain('abort');
  });

  const refused: [name: string, config: JsonObject, message: RegExp][] = [
    ['a missing URL', {}, /apps\.host\.load\.url: is missing/],
    ['an invalid timeout', { url: 'http://x', timeout: 'soon' }, /apps\.host\.load\.timeout/],
    [
      'a client certificate without a key',
      { url: 'http://x', tls: { client_certificate_file: 'x' } },
      /must be set together/,
    ],
    [
      'a server identity that is not configured',
      { url: 'http://x', tls: { use_server_identity: true } },
      /admin\.identity/,
    ],
    ['an unknown key', { url: 'http://x', tls: { x: 1 } }, /unknown key "x"/],
  ];
  for (const [name, config, message] of refused) {
    it(`the HTTP loader rejects ${name}`, async () => {
      expect(await errorOf(config)).to.match(message);
    });
  }

  describe('caddy.config_loaders.http over TLS', () => {
    let folder: string;
    let tlsServer: ReturnType<typeof createTlsServer>;
    let url: string;
    const file = (name: string): string => join(folder, name);

    before(async function () {
      this.timeout(10_000);
      folder = await mkdtemp(join(tmpdir(), 'loader-'));
      for (const name of ['server', 'client']) {
        const { cert, key } = await throwAwayCertificate([name, '127.0.0.1']);
        await Promise.all([writeFile(file(`${name}.crt`), cert), writeFile(file(`${name}.key`), key)]);
      }
      const credentials = { cert: await readFile(file('server.crt')), key: await readFile(file('server.key')) };
      tlsServer = createTlsServer(
        { ...credentials, requestCert: true, rejectUnauthorized: false },
        (request, response) => {
          response.end(JSON.stringify((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? null));
        },
      );
      await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(tlsServer.address() as AddressInfo).port}/`;
    });

    after(async () => {
      tlsServer.closeAllConnections();
      await new Promise((resolve) => tlsServer.close(resolve));
      await rm(folder, { recursive: true });
    });

    it('the HTTP loader trusts the configured authorities, or the system authorities by default', async () => {
      expect(await errorOf({ url })).to.match(/self.signed/);
      const { body } = await load({ url, tls: { root_ca_pem_files: [file('server.crt')] } });
      expect(body.toString()).to.equal('null');
    });

    it('the HTTP loader presents the configured certificate, or the identity of the server', async () => {
      const roots = { root_ca_pem_files: [file('server.crt')] };
      const files = { client_certificate_file: file('client.crt'), client_certificate_key_file: file('client.key') };
      expect((await load({ url, tls: { ...roots, ...files } })).body.toString()).to.equal('"client"');
      const [cert, key] = await Promise.all(['client.crt', 'client.key'].map((name) => readFile(file(name), 'utf8')));
      const identity: ServerIdentity = {
        certificate: async () => ({ cert: cert ?? '', key: key ?? '' }),
        onChange: () => () => undefined,
      };
      expect((await load({ url, tls: { ...roots, use_server_identity: true } }, identity)).body.toString()).to.equal(
        '"client"',
      );
    });

    it('the HTTP loader reports the name of an unreadable file', async () => {
      expect(await errorOf({ url, tls: { root_ca_pem_files: [file('nope')] } })).to.contain('nope');
    });
  });
});
