import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Bridge } from '../src/reference-suite/bridge.ts';
import { expectedFailures, expectedReason } from '../src/reference-suite/expected-failures.ts';
import { callAdmin } from '../src/servers/call-admin.ts';

/** A simulated admin endpoint that accepts every request except those with the text `refuse`. */
class FakeAdmin {
  document: unknown = null;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        if (body.includes('refuse')) {
          response.writeHead(400).end('{"error":"refused"}');
          return;
        }
        if (request.url === '/load') {
          this.document =
            request.headers['content-type'] === 'application/json' ? (JSON.parse(body) as unknown) : { from: body };
          response.end();
        } else response.end(`${JSON.stringify(this.document)}\n`);
      });
    });
  }

  static async start(): Promise<FakeAdmin> {
    const admin = new FakeAdmin();
    await new Promise<void>((resolve) => {
      admin.#server.listen(0, '127.0.0.1', resolve);
    });
    return admin;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('conformance tool: bridge to the test suite of Caddy', () => {
  let admin: FakeAdmin;
  let bridge: Bridge;
  beforeEach(async () => {
    admin = await FakeAdmin.start();
    bridge = await Bridge.start(() => admin.port, 0);
  });
  afterEach(async () => {
    await bridge.stop();
    await admin.stop();
  });

  const ask = async (method: string, path: string, body = '', type = 'application/json'): Promise<string> => {
    const response = await callAdmin(bridge.port, { method, path, body, type });
    return `${response.status} ${response.body.toString()}`.trim();
  };

  it('Bridge keeps the admin address of the server and shows the loaded configuration', async () => {
    const written = { admin: { listen: 'localhost:2999', origins: ['a'] }, apps: {} };
    expect(await ask('POST', '/load', JSON.stringify(written))).to.equal('200');
    expect(admin.document).to.deep.equal({ admin: { listen: `127.0.0.1:${admin.port}`, origins: ['a'] }, apps: {} });
    expect(await ask('GET', '/config/')).to.equal(`200 ${JSON.stringify(written)}`);
    expect(await ask('POST', '/load', '{"admin":{"disabled":true},"apps":{}}')).to.equal('200');
    expect(admin.document).to.deep.equal({ admin: { listen: `127.0.0.1:${admin.port}` }, apps: {} });
    expect(await ask('POST', '/load', '{"apps":{}}')).to.equal('200');
    expect(await ask('GET', '/config/')).to.equal('200 {"apps":{}}');
  });

  it('Bridge forwards Caddyfiles unchanged except for the admin address', async () => {
    expect(await ask('POST', '/load', '{\n\tadmin localhost:2999\n}', 'text/caddyfile')).to.equal('200');
    expect(admin.document).to.include({ from: `{\n\tadmin 127.0.0.1:${admin.port}\n}` });
    expect(await ask('GET', '/config/')).to.equal('200 {"from":"{\\n\\tadmin localhost:2999\\n}"}');
    expect(await ask('POST', '/load', 'refuse', 'text/caddyfile')).to.equal('400 {"error":"refused"}');
  });

  it('Bridge forwards rejections and discards the rejected configuration', async () => {
    await ask('POST', '/load', '{"admin":{"listen":"one"}}');
    expect(await ask('POST', '/load', '{"admin":{"listen":"two"},"a":"refuse"}')).to.equal('400 {"error":"refused"}');
    expect(await ask('GET', '/config/')).to.equal('200 {"admin":{"listen":"one"}}');
    expect(bridge.requests).to.equal(3);
  });
});

describe('tools/conformance: expected failures of the reference suite', () => {
  const name = 'TestMapInvalidDestination';
  const defaults = '    map_test.go:94: expected error "x" but got "destinations[0]: \\"y\\" is not a placeholder"\n';

  it('expectedReason accepts the known failures', () => {
    expect(expectedReason(name, `    caddytest.go:155: ------- failed with config ----\n${defaults}`)).to.be.a(
      'string',
    );
  });

  for (const [what, test, output] of [
    ['a failure of another test', 'TestMap', defaults],
    ['an additional error', name, `${defaults}    map_test.go:95: something else\n`],
    ['a panic', name, `${defaults}panic: runtime error\n`],
    ['output without an error', name, ''],
  ] as const) {
    it(`expectedReason rejects ${what}`, () => expect(expectedReason(test, output)).to.equal(null));
  }

  it('docs/differences.md lists all expected failures', () => {
    const differences = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    for (const test of expectedFailures.keys()) expect(differences).to.contain(`\`${test}\``);
  });
});
