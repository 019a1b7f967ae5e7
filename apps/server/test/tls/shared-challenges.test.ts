/**
 * Tests ACME challenges for two servers that share a storage. The CA contacts the server that did not order the certificate. Either server
 * can be Caddy.
 */
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { commandOf, freePort, hasPebble, startPebble, type Pebble } from '@sluice/testing';
import { says, send } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const name = 'a.sluice.test';
const caddy = commandOf('caddy');
type Program = 'Sluice' | 'Caddy';

describe('ACME challenges with a shared storage', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let pebble: Pebble;
  const ends: (() => Promise<void>)[] = [];

  before(async function () {
    if (!hasPebble) {
      process.stdout.write('        skipped: this machine has no pebble\n');
      this.skip();
    }
    pebble = await startPebble({}, { PEBBLE_AUTHZREUSE: '0' });
  });
  after(() => (pebble as Pebble | undefined)?.close());
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await sandbox.remove();
  });

  /** Starts a server. `asked` is true for the server that the CA contacts, which does not order certificates. */
  async function run(program: Program, asked: boolean, only: 'http' | 'tls-alpn'): Promise<number> {
    const [http, https] = asked ? [pebble.httpPort, pebble.tlsPort] : [await freePort(), await freePort()];
    const elsewhere = { alternate_port: await freePort() };
    const challenges = {
      http: only === 'http' ? elsewhere : { disabled: true },
      'tls-alpn': only === 'tls-alpn' ? elsewhere : { disabled: true },
    };
    const issuer = { module: 'acme', ca: pebble.directory, trusted_roots_pem_files: [pebble.rootFile], challenges };
    const s = {
      listen: [`127.0.0.1:${https}`],
      routes: [{ match: [{ host: [name] }], ...says('served') }],
      automatic_https: asked ? { skip_certificates: [name] } : {},
    };
    const document = {
      admin: { disabled: true },
      storage: { module: 'file_system', root: sandbox.path('shared') },
      apps: {
        http: { http_port: http, https_port: https, servers: { s } },
        tls: { automation: { policies: [{ issuers: [issuer] }] } },
      },
    };
    const file = await sandbox.write(`${asked ? 'asked' : 'orders'}.json`, document);
    if (program === 'Sluice') sandbox.start(['run', '--workers', '1', '--config', file]);
    else {
      const home = {
        HOME: sandbox.folder,
        XDG_DATA_HOME: sandbox.path('data'),
        XDG_CONFIG_HOME: sandbox.path('config'),
      };
      const child = spawn(caddy ?? '', ['run', '--config', file], {
        env: { ...process.env, ...home },
        stdio: 'ignore',
      });
      ends.push(async () => {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      });
    }
    // An HTTPS redirect indicates that the server that orders the certificate is ready.
    await until(
      () =>
        send(http, '/').then(
          () => true,
          () => false,
        ),
      `${program} listens`,
    );
    return http;
  }

  const cases: readonly (readonly ['http' | 'tls-alpn', Program, Program])[] = [
    ['http', 'Sluice', 'Sluice'],
    ['tls-alpn', 'Sluice', 'Sluice'],
    ['tls-alpn', 'Sluice', 'Caddy'],
    ['http', 'Caddy', 'Sluice'],
  ];
  for (const [only, orders, asked] of cases)
    it(`${asked} solves the ${only} challenge for an order that ${orders} placed, if the CA contacts ${asked}`, async function () {
      if (caddy === null && (orders !== 'Sluice' || asked !== 'Sluice')) this.skip();
      const before = pebble.orders();
      await run(asked, true, only);
      await run(orders, false, only);
      const folder = readdirSync;
      const stem = (): string =>
        `shared/certificates/${folder(sandbox.path('shared/certificates'))[0]}/${name}/${name}`;
      await until(
        () => existsSync(sandbox.path('shared/certificates')) && existsSync(sandbox.path(`${stem()}.json`)),
        'a certificate is stored',
      );
      expect(new X509Certificate(readFileSync(sandbox.path(`${stem()}.crt`))).subjectAltName).to.equal(`DNS:${name}`);
      expect(pebble.orders() - before).to.equal(1);
      const acme = sandbox.path('shared/acme');
      const tokens = `${acme}/${readdirSync(acme)[0]}/challenge_tokens`;
      await until(() => !existsSync(tokens) || readdirSync(tokens).length === 0, 'no challenge is left in the storage');
    });

  it('the server handles challenge-like requests and handshakes normally if no challenge is pending', async () => {
    const http = await run('Sluice', true, 'http');
    const headers = { host: name };
    const path = '/.well-known/acme-challenge/';
    const redirected = await send(http, `${path}${'x'.repeat(43)}`, { headers });
    expect(redirected.status).to.equal(308);
    expect((await send(http, path, { headers })).status).to.equal(308);
    expect((await send(http, `${path}..%2f..%2fusers`, { headers })).status).to.equal(308);
  });
});
