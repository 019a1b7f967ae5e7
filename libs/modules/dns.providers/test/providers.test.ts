/** Tests DNS providers against simulated APIs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import type { Context, Token } from '@sluice/registry';
import { provision, type Provisioned } from '@sluice/testing';
import { apiTransportToken } from '../src/common/transport.ts';
import { register } from '../src/index.ts';
import { findCredentials } from '../src/route53/credentials.ts';
import { MachineCredentials } from '../src/route53/metadata.ts';
import { Api } from '../src/common/api.ts';
import { startFake, type Fake, type FakeApi } from './support/fake-api.ts';
import * as fakes from './support/fakes.ts';
import { secret } from './support/fakes.ts';

const zone = 'example.com.';
const hour = 3_600_000;
const challenge = '_acme-challenge.www';
const soon = (): AbortSignal => AbortSignal.timeout(10_000);
const text = (value: string, name = challenge): DnsRecord => ({ name, type: 'TXT', value, ttl: hour });
const address = (value: string, name: string): DnsRecord => ({ name, type: 'A', value, ttl: hour });

interface Case {
  readonly name: string;
  readonly config: JsonObject;
  readonly fake: () => Fake;
  /** Configuration with invalid credentials. They must not appear in error messages. */
  readonly wrong: JsonObject;
}

const aws = { access_key_id: 'AKIDEXAMPLE', secret_access_key: secret };
const keys = { endpoint: 'ovh-eu', application_key: 'application', consumer_key: 'consumer' };
const cases: readonly Case[] = [
  { name: 'cloudflare', config: { api_token: secret }, wrong: { api_token: 'other-token' }, fake: fakes.cloudflare },
  { name: 'hetzner', config: { api_token: secret }, wrong: { api_token: 'other-token' }, fake: fakes.hetzner },
  {
    name: 'digitalocean',
    config: { auth_token: secret },
    wrong: { auth_token: 'other-token' },
    fake: fakes.digitalocean,
  },
  { name: 'gandi', config: { bearer_token: secret }, wrong: { bearer_token: 'other-token' }, fake: fakes.gandi },
  { name: 'desec', config: { token: secret }, wrong: { token: 'other-token' }, fake: fakes.desec },
  {
    name: 'ovh',
    config: { ...keys, application_secret: secret },
    wrong: { ...keys, application_secret: 'other-token' },
    fake: fakes.ovh,
  },
  { name: 'route53', config: aws, wrong: { ...aws, secret_access_key: 'other-token' }, fake: fakes.route53 },
];

/** Provisions a DNS provider that sends its requests to a simulated API. */
function provider(name: string, config: JsonObject, { transport }: FakeApi): Promise<Provisioned<DnsProvider>> {
  const services = new Map<Token<unknown>, unknown>([[apiTransportToken, transport]]);
  return provision(dnsProviders, { name, ...config }, { register: [register], key: 'name', services });
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

for (const { name, config, wrong, fake } of cases)
  describe(`dns.providers.${name}`, () => {
    let api: FakeApi;
    let made: Provisioned<DnsProvider>;
    beforeEach(async () => {
      api = await startFake(fake());
      made = await provider(name, config, api);
    });
    afterEach(async () => {
      await made.close();
      await api.close();
    });

    const list = async (): Promise<readonly DnsRecord[]> => {
      const found = (await made.instance.get?.(zone, soon())) ?? [];
      return [...found].sort((a, b) => (`${a.name} ${a.value}` < `${b.name} ${b.value}` ? -1 : 1));
    };

    it(`the DNS provider ${name} appends records, keeps existing records, and removes single records`, async () => {
      await made.instance.append(zone, [text('one')], soon());
      await made.instance.append(zone, [text('two "quoted" \\ text')], soon());
      await made.instance.append(zone, [text('one')], soon());
      expect(await list()).to.deep.equal([text('one'), text('two "quoted" \\ text')]);
      await made.instance.remove(zone, [text('one'), text('none')], soon());
      expect(await list()).to.deep.equal([text('two "quoted" \\ text')]);
      await made.instance.remove(zone, [text('two "quoted" \\ text')], soon());
      await made.instance.remove(zone, [text('two "quoted" \\ text')], soon());
      expect(await list()).to.deep.equal([]);
    });

    it(`the DNS provider ${name} can add several records with the same name concurrently`, async () => {
      const values = ['a', 'b', 'c', 'd'];
      await Promise.all(values.map((value) => made.instance.append(zone, [text(value)], soon())));
      expect((await list()).map(({ value }) => value)).to.deep.equal(values);
    });

    it(`the DNS provider ${name} sets records at the zone apex and at names in the zone, and keeps other records`, async () => {
      await made.instance.append(zone, [address('192.0.2.1', '@'), text('kept', '@')], soon());
      await made.instance.set?.(zone, [address('192.0.2.2', '@'), address('192.0.2.3', 'www')], soon());
      await made.instance.set?.(zone, [address('192.0.2.2', '@'), address('192.0.2.4', 'www')], soon());
      expect(await list()).to.deep.equal([address('192.0.2.2', '@'), text('kept', '@'), address('192.0.2.4', 'www')]);
    });

    it(`the DNS provider ${name} uses its default TTL for a TTL of 0`, async () => {
      await made.instance.append(zone, [{ ...text('one'), ttl: 0 }], soon());
      expect(await list()).to.have.length(1);
    });

    it(`the DNS provider ${name} reports rejected credentials without revealing them`, async () => {
      const other = await provider(name, wrong, api);
      // The simulated API repeats the secret in its error message, although no real API should.
      const message = await failureOf(other.instance.append(zone, [text('one')], soon()));
      await other.close();
      expect(message).to.match(new RegExp(`^${name}: (?:GET|POST|PUT) /\\S+: 40[13] `));
      expect(message).not.to.include('other-token');
    });

    it(`the DNS provider ${name} removes its secrets from errors`, async () => {
      const broken = await startFake(() => [
        400,
        { message: `bad request by ${secret}`, detail: secret, error: secret },
      ]);
      const other = await provider(name, config, broken);
      const message = await failureOf(other.instance.append(zone, [text('one')], soon()));
      await other.close();
      await broken.close();
      expect(message).to.include(': 400 ').and.to.include('***').and.not.to.include(secret);
    });

    it(`the DNS provider ${name} reports an unknown zone`, async () => {
      const message = await failureOf(made.instance.append('other.test.', [text('one')], soon()));
      expect(message).to.match(/404|other\.test/);
    });

    it(`the DNS provider ${name} requires its credentials`, async () => {
      if (name === 'route53') return;
      for (const option of Object.keys(config)) {
        const given = { ...config, [option]: '{env.SLUICE_TEST_NO_SUCH}' };
        expect(await failureOf(provider(name, given, api))).to.include(
          `apps.host.module.${option}: the placeholder {env.SLUICE_TEST_NO_SUCH} is empty`,
        );
      }
    });
  });

describe('dns.providers.route53', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-aws-'));
  after(() => rmSync(folder, { recursive: true }));

  it('route53 waits until changes are complete, if configured to do so', async () => {
    const api = await startFake(fakes.route53());
    const { instance, close } = await provider('route53', { ...aws, wait_for_route53_sync: true }, api);
    await instance.append(zone, [text('one')], soon());
    await close();
    await api.close();
    expect(api.requests.filter((request) => request.startsWith('GET /2013-04-01/change/'))).to.have.length(2);
  });

  it('route53 looks for credentials in options, environment, and profiles, in this order', async () => {
    const file = join(folder, 'credentials');
    writeFileSync(
      file,
      '[default]\naws_access_key_id = D\naws_secret_access_key = d\n# comment\n[work]\naws_access_key_id=W\naws_secret_access_key=w\naws_session_token=s\n',
    );
    const nowhere = { find: () => Promise.resolve(null) } as unknown as MachineCredentials;
    const none = { accessKeyId: '', secretAccessKey: '', sessionToken: '', profile: '' };
    const files = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_CONFIG_FILE: join(folder, 'none') };
    const environment = { ...files, AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 'e' };
    const found = async (options: Partial<typeof none>, env: NodeJS.ProcessEnv): Promise<string> => {
      const { accessKeyId, secretAccessKey, sessionToken } = await findCredentials(
        { ...none, ...options },
        nowhere,
        env,
      );
      return [accessKeyId, secretAccessKey, sessionToken].join();
    };
    expect(await found({ accessKeyId: 'O', secretAccessKey: 'o' }, environment)).to.equal('O,o,');
    expect(await found({}, environment)).to.equal('E,e,');
    expect(await found({ profile: 'work' }, environment)).to.equal('W,w,s');
    expect(await found({}, { ...files, AWS_PROFILE: 'work' })).to.equal('W,w,s');
    expect(await found({}, files)).to.equal('D,d,');
    expect(await failureOf(found({ profile: 'other' }, environment)))
      .to.include('no credentials')
      .and.include('"other"');
  });

  it('route53 gets temporary credentials from the EC2 instance role, and caches the credentials until they expire', async () => {
    let expires = new Date(Date.now() + 3_600_000).toISOString();
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
    const api = await startFake(({ host, method, path, headers }) => {
      if (host !== 'http://169.254.169.254') return [404];
      if (path === '/latest/api/token')
        return method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] === '300' ? [200, 'session'] : [400];
      if (headers['x-aws-ec2-metadata-token'] !== 'session') return [401];
      if (path === '/latest/meta-data/iam/security-credentials/') return [200, 'dns-role'];
      if (path !== '/latest/meta-data/iam/security-credentials/dns-role') return [404];
      return [200, { AccessKeyId: 'M', SecretAccessKey: 'm', Token: 't', Expiration: expires }];
    });
    const machine = await machineCredentials(api);
    const credentials = { accessKeyId: 'M', secretAccessKey: 'm', sessionToken: 't' };
    expect(await machine.find({})).to.deep.equal(credentials);
    expect(await machine.find({})).to.deep.equal(credentials);
    expect(api.requests).to.have.length(3);
    expires = new Date(Date.now() + 60_000).toISOString();
    const short = await machineCredentials(api);
    await short.find({});
    await short.find({});
    expect(api.requests).to.have.length(9);
    expect(await (await machineCredentials(api)).find({ AWS_EC2_METADATA_DISABLED: 'true' })).to.equal(null);
    await api.close();
  });

  it('route53 gets temporary credentials from the container credentials endpoint', async () => {
    const found = { AccessKeyId: 'C', SecretAccessKey: 'c', Token: 't', Expiration: new Date().toISOString() };
    const api = await startFake(({ host, path, headers }) =>
      (host === 'http://169.254.170.2' && path === '/v2/role') ||
      (host === 'http://169.254.170.23' && headers.authorization === 'pod-token')
        ? [200, found]
        : [403],
    );
    const expected = { accessKeyId: 'C', secretAccessKey: 'c', sessionToken: 't' };
    const file = join(folder, 'token');
    writeFileSync(file, 'pod-token\n');
    for (const env of [
      { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/role' },
      {
        AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
      },
    ])
      expect(await (await machineCredentials(api)).find(env)).to.deep.equal(expected);
    await api.close();
  });
});

/** Returns the machine's credentials, obtained from simulated metadata services. */
async function machineCredentials({ transport }: FakeApi): Promise<MachineCredentials> {
  const context = { find: () => transport } as unknown as Context;
  return new MachineCredentials((base) => new Api({ name: 'route53', base, headers: {}, secrets: [] }, context));
}
