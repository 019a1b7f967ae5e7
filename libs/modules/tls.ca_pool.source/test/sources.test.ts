import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { expect } from 'chai';
import { MemoryStorage, sampleCertificates } from '@sluice/testing';
import { responding, certificatesOf, refused } from './support.ts';

const { authority, client } = sampleCertificates;
const base64 = (pem: string): string => new X509Certificate(pem).raw.toString('base64');

describe('tls.ca_pool.source.inline', () => {
  it('the inline CA source returns the configured certificates', async () => {
    const certificates = await certificatesOf({
      provider: 'inline',
      trusted_ca_certs: [base64(authority), base64(client)],
    });
    expect(certificates).to.deep.equal([authority, client]);
    expect(await certificatesOf({ provider: 'inline' })).to.deep.equal([]);
  });

  for (const [what, text] of [
    ['PEM', authority],
    ['data that is not a certificate', 'aGVsbG8='],
    ['invalid base64', '!!'],
    ['an empty string', ''],
  ] as const) {
    it(`the inline CA source rejects ${what}`, async () => {
      const message = await refused({ provider: 'inline', trusted_ca_certs: [base64(authority), text] });
      expect(message).to.match(/^apps\.host\.module\.trusted_ca_certs\[1\]: is not a base64-encoded DER certificate/);
    });
  }
});

describe('tls.ca_pool.source.file', () => {
  let folder: string;
  const path = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ca-pool-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('the file CA source returns the certificates in its files, ignoring other content', async () => {
    const both = path('both', `# a comment\n${authority}\nand\n${client}`);
    expect(await certificatesOf({ provider: 'file', pem_files: [both, path('one', authority)] })).to.deep.equal([
      authority,
      client,
      authority,
    ]);
  });

  it('the file CA source rejects files that are missing, invalid or have no certificate', async () => {
    const files: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'none'), /pem_files\[0\]: ENOENT/],
      [path('empty', 'nothing'), /pem_files\[0\]: .*empty: contains no PEM certificate/],
      [path('broken', authority.replace('MII', 'AAA')), /pem_files\[0\]: .*broken: cannot read certificate 1/],
    ];
    for (const [file, message] of files)
      expect(await refused({ provider: 'file', pem_files: [file] })).to.match(message);
  });
});

describe('tls.ca_pool.source.storage', () => {
  const storage = new MemoryStorage();
  storage.values.set('pki/root.crt', authority);

  it('the storage CA source returns the certificates stored under its keys', async () => {
    const config = { provider: 'storage', pem_keys: ['pki/root.crt'] };
    expect(await certificatesOf(config, { storage })).to.deep.equal([authority]);
    expect(await certificatesOf({ ...config, storage: { module: 'memory' } }, { storage })).to.deep.equal([authority]);
  });

  it('the storage CA source rejects missing keys and an empty list', async () => {
    expect(await refused({ provider: 'storage', pem_keys: ['none'] }, { storage })).to.match(
      /pem_keys\[0\]: none: the key does not exist in storage/,
    );
    expect(await refused({ provider: 'storage' }, { storage })).to.match(
      /pem_keys: must have at least one storage key/,
    );
  });
});

describe('tls.ca_pool.source.http', () => {
  let server: Server;
  let url: string;
  let asked: string[];
  before(async () => {
    ({ server, url, asked } = await responding({
      '/ca': [200, authority],
      '/moved': [302, '', '/ca'],
      '/circle': [302, '', '/circle'],
      '/empty': [200, 'nothing'],
      '/long': [200, 'x'.repeat(2 ** 21)],
    }));
  });
  after(() => server.close());

  it('the http CA source returns the certificates that its endpoints provide', async () => {
    const endpoints = [`${url}/ca`, `${url}/moved`];
    expect(await certificatesOf({ provider: 'http', endpoints })).to.deep.equal([authority, authority]);
  });

  it('the http CA source sends no requests when a configuration is only validated', async () => {
    const before = asked.length;
    const roles = { control: false, traffic: false };
    expect(await certificatesOf({ provider: 'http', endpoints: [`${url}/ca`] }, { roles })).to.deep.equal([]);
    expect(asked.length).to.equal(before);
  });

  for (const [path, message] of [
    ['/none', /the server returned status 404/],
    ['/circle', /more than 10 redirects/],
    ['/empty', /the response: contains no PEM certificate/],
    ['/long', /larger than 1048576 bytes/],
  ] as const) {
    it(`the http CA source rejects ${path}`, async () => {
      const text = await refused({ provider: 'http', endpoints: [`${url}${path}`] });
      expect(text).to.match(/^apps\.host\.module\.endpoints\[0\]: http/);
      expect(text).to.match(message);
    });
  }

  it('the http CA source rejects invalid and unreachable URLs', async () => {
    expect(await refused({ provider: 'http', endpoints: ['nope'] })).to.match(/endpoints\[0\]: nope: /);
    expect(await refused({ provider: 'http', endpoints: ['ftp://127.0.0.1/'] })).to.match(/not an http or https URL/);
    expect(await refused({ provider: 'http', endpoints: ['http://127.0.0.1:1/'] })).to.match(/ECONNREFUSED/);
  });

  it('the http CA source rejects an invalid timeout', async () => {
    expect(await refused({ provider: 'http', tls: { handshake_timeout: 'x' } })).to.match(/tls\.handshake_timeout: /);
  });
});

describe('tls.ca_pool.source.system', () => {
  it('the system CA source returns the CAs of the operating system, or the CAs bundled with Node', async () => {
    const certificates = await certificatesOf({ provider: 'system' });
    expect(certificates).to.not.be.empty;
    expect([getCACertificates('system'), getCACertificates('bundled')]).to.deep.include(certificates);
  });
});

describe('tls.ca_pool.source.combined', () => {
  it('the combined CA source returns the certificates of all its sources without duplicates', async () => {
    const inline = (pem: string): { provider: string; trusted_ca_certs: string[] } => ({
      provider: 'inline',
      trusted_ca_certs: [base64(pem)],
    });
    const sources = [inline(authority), { provider: 'combined', sources: [inline(client), inline(authority)] }];
    expect(await certificatesOf({ provider: 'combined', sources })).to.deep.equal([authority, client]);
  });

  it('the combined CA source requires at least one source', async () => {
    expect(await refused({ provider: 'combined' })).to.match(/sources: must have at least one source/);
  });
});
