/** Tests wildcard certificates issued by Pebble using DNS challenges, with records on real DNS servers. */
import { X509Certificate } from 'node:crypto';
import { connect, type PeerCertificate } from 'node:tls';
import { expect } from 'chai';
import { dnsProviders } from '@sluice/contracts';
import { register } from '@sluice/dns.providers';
import {
  freePort,
  hasDnsServer,
  hasPebble,
  provision,
  startDnsServer,
  startPebble,
  type DnsServer,
  type Pebble,
} from '@sluice/testing';
import { Sandbox, until, type Started } from '../support/sandbox.ts';

const wildcard = '*.example.test';
const name = 'a.example.test';
/** Validity period of certificates in seconds. A certificate is not renewed within a minute of the last order. */
const validityPeriod = 90;

describe('ACME DNS challenges', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let pebble: Pebble | null = null;
  let dns: DnsServer | null = null;

  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    await sandbox.remove();
    await pebble?.close();
    await dns?.close();
    pebble = dns = null;
  });

  /** Starts Pebble, which queries the DNS server of the test. */
  async function start(kind: 'bind' | 'knot', records: readonly string[] = []): Promise<readonly [Pebble, DnsServer]> {
    dns = await startDnsServer(kind, { records });
    const profiles = { default: { description: 'short', validityPeriod } };
    pebble = await startPebble({ profiles }, { PEBBLE_AUTHZREUSE: '0' }, dns.address);
    return [pebble, dns];
  }

  async function run(caddyfile: string, env: Readonly<Record<string, string>>): Promise<Started> {
    const file = await sandbox.write('Caddyfile', caddyfile);
    return sandbox.start(['run', '--workers', '1', '--config', file, '--adapter', 'caddyfile'], { env });
  }

  for (const kind of ['bind', 'knot'] as const)
    it(`a wildcard certificate is obtained and renewed through dns-01 with ${kind} @long`, async function () {
      if (!hasPebble || !hasDnsServer(kind)) this.skip();
      this.timeout(150_000);
      const [acme, server] = await start(kind);
      const [http, https] = [await freePort(), await freePort()];
      const { key, address } = server;
      const { stderr } = await run(
        `{
          admin off
          http_port ${http}
          https_port ${https}
          acme_ca ${acme.directory}
          acme_ca_root ${acme.rootFile}
          renew_interval 1s
          storage file_system ${sandbox.path('storage')}
        }
        ${wildcard} {
          tls {
            dns rfc2136 {
              server ${address}
              key_name ${key.name}
              key_alg ${key.algorithm}
              key {env.TSIG_KEY}
            }
            resolvers ${address}
            dns_ttl 1m
          }
          respond "hello {labels.2}"
        }`,
        { TSIG_KEY: key.secret },
      );
      const first = await presented(https, stderr);
      expect(first.subjectaltname).to.equal(`DNS:${wildcard}`);
      expect(await textsOf(server)).to.deep.equal([]);
      let renewed = first;
      await until(
        async () => {
          renewed = (await handshake(https)) ?? first;
          return renewed.serialNumber !== first.serialNumber;
        },
        'the certificate is renewed',
        100_000,
      );
      expect(renewed.subjectaltname).to.equal(`DNS:${wildcard}`);
      expect(Date.parse(renewed.valid_to)).to.be.greaterThan(Date.parse(first.valid_to));
      expect(await textsOf(server)).to.deep.equal([]);
      expect(acme.orders()).to.equal(2);
      expect(stderr()).not.to.include(key.secret);
      expect(stderr()).to.include('renewed certificate');
    });

  it('the DNS solver creates delegated challenge records at the end of the CNAME chain', async function () {
    if (!hasPebble || !hasDnsServer('bind')) this.skip();
    const [acme, server] = await start('bind', ['_acme-challenge IN CNAME validation.delegated.example.test.']);
    const [http, https] = [await freePort(), await freePort()];
    const { key, address } = server;
    const { stderr } = await run(
      `{
        admin off
        http_port ${http}
        https_port ${https}
        acme_ca ${acme.directory}
        acme_ca_root ${acme.rootFile}
        storage file_system ${sandbox.path('storage')}
        tls_resolvers ${address}
        dns rfc2136 {
          server ${address}
          key_name ${key.name}
          key_alg ${key.algorithm}
          key ${key.secret}
        }
        acme_dns
      }
      ${wildcard} {
        respond hello
      }`,
      {},
    );
    expect((await presented(https, stderr)).subjectaltname).to.equal(`DNS:${wildcard}`);
  });

  it('a wildcard certificate is obtained through dns-persist-01 after the logged DNS record has been created', async function () {
    if (!hasPebble || !hasDnsServer('bind')) this.skip();
    const [acme, server] = await start('bind');
    const [http, https] = [await freePort(), await freePort()];
    const { key, address } = server;
    const { stderr } = await run(
      `{
        admin off
        http_port ${http}
        https_port ${https}
        storage file_system ${sandbox.path('storage')}
      }
      ${wildcard} {
        tls {
          issuer acme {
            dir ${acme.directory}
            trusted_roots ${acme.rootFile}
            dns_persist {
              timeout 30s
              resolvers ${address}
            }
          }
        }
        respond hello
      }`,
      {},
    );
    const logged = (): string | undefined =>
      stderr()
        .split('\n')
        .find((line) => /create this DNS record|the CA offers/.test(line));
    await until(() => logged() !== undefined, 'a record is logged', 20_000);
    // Skips the test if Pebble does not support dns-persist-01. Pebble supports dns-persist-01 since version 2.10.
    if (/the CA offers/.test(logged() ?? '')) this.skip();
    const { name: record, value, type } = JSON.parse(logged() ?? '{}') as Record<string, string>;
    expect({ record, type }).to.deep.equal({ record: '_validation-persist.example.test', type: 'TXT' });
    expect(value).to.match(/^pebble\.letsencrypt\.org; accounturi=https:\S+; policy=wildcard$/);
    const config = { name: 'rfc2136', server: address, key_name: key.name, key_alg: key.algorithm, key: key.secret };
    const { instance, close } = await provision(dnsProviders, config, { register: [register], key: 'name' });
    const records = [{ name: '_validation-persist', type: 'TXT', value: value ?? '', ttl: 60_000 }];
    await instance.append('example.test.', records, AbortSignal.timeout(5_000));
    await close();
    expect((await presented(https, stderr)).subjectaltname).to.equal(`DNS:${wildcard}`);
    expect(await server.resolver.resolveTxt('_validation-persist.example.test')).to.deep.equal([[value]]);
  });

  /** Returns the TXT records created for the challenge. */
  async function textsOf({ resolver }: DnsServer): Promise<string[][]> {
    return resolver.resolveTxt('_acme-challenge.example.test').catch(() => []);
  }

  async function presented(port: number, log: () => string): Promise<PeerCertificate> {
    let found: PeerCertificate | null = null;
    const isPresented = async (): Promise<boolean> => (found = await handshake(port)) !== null;
    await until(isPresented, 'a certificate is presented', 20_000).catch((error: unknown) => {
      throw new Error(log(), { cause: error });
    });
    if (found === null) throw new Error('no certificate');
    return found;
  }
});

/** Performs a TLS handshake. Returns the server certificate, or `null` if there is none. */
function handshake(port: number): Promise<PeerCertificate | null> {
  const { promise, resolve } = Promise.withResolvers<PeerCertificate | null>();
  const socket = connect({ host: '127.0.0.1', port, servername: name, rejectUnauthorized: false });
  socket.once('error', () => resolve(null));
  socket.once('secureConnect', () => {
    const { raw } = socket.getPeerX509Certificate() ?? {};
    resolve(raw === undefined ? null : new X509Certificate(raw).toLegacyObject());
    socket.destroy();
  });
  return promise;
}
