import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { register } from '@sluice/tls.certificates';
import { certificateLoaders, type CertificateLoader, type LoadedCertificate } from '@sluice/tls-app';
import type { Json } from '@sluice/base';
import { MemoryStorage, provisionNamed, type Provisioned } from '@sluice/testing';

/** Loaders do not parse certificates except in bundles, so the content may be invalid. */
const certificate = '-----BEGIN CERTIFICATE-----\nMQ==\n-----END CERTIFICATE-----\n';
const other = '-----BEGIN CERTIFICATE-----\nMg==\n-----END CERTIFICATE-----\n';
const key = '-----BEGIN EC PRIVATE KEY-----\nMw==\n-----END EC PRIVATE KEY-----\n';

describe('tls.certificates', () => {
  let folder: string;
  const storage = new MemoryStorage();
  const open: Provisioned<CertificateLoader>[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-certificates-'));
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  after(() => rm(folder, { recursive: true }));

  const loaderOf = async (name: string, config: Json): Promise<CertificateLoader> => {
    const loader = await provisionNamed(certificateLoaders, name, config, { register: [register], storage });
    open.push(loader);
    return loader.instance;
  };
  const load = async (name: string, config: Json): Promise<readonly LoadedCertificate[] | string> => {
    try {
      return await (await loaderOf(name, config)).load();
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('the automate loader normalizes names', async () => {
    const loader = await loaderOf('automate', ['A.Example.', '*.b.example', '[::1]']);
    expect(loader.names).to.deep.equal(['a.example', '*.b.example', '::1']);
    expect(await loader.load()).to.deep.equal([]);
  });

  it('load_pem returns the configured certificates', async () => {
    expect(await load('load_pem', [{ certificate, key, tags: ['t'] }])).to.deep.equal([
      { chain: certificate, key, tags: ['t'], source: 'load_pem[0]' },
    ]);
  });

  it('load_files reads file pairs and reports unreadable files', async () => {
    const [crt, keyFile] = [join(folder, 'a.crt'), join(folder, 'a.key')];
    await Promise.all([writeFile(crt, certificate), writeFile(keyFile, key)]);
    expect(await load('load_files', [{ certificate: crt, key: keyFile, format: 'pem' }])).to.deep.equal([
      { chain: certificate, key, tags: [], source: crt },
    ]);
    expect(await load('load_files', [{ certificate: join(folder, 'none'), key: keyFile }])).to.contain('none: ENOENT');
    expect(await load('load_files', [{ certificate: crt, key: keyFile, format: 'der' }])).to.contain(
      'module[0].format',
    );
  });

  it('load_folders reads bundles, including bundles in subdirectories', async () => {
    const bundles = join(folder, 'bundles');
    await mkdir(join(bundles, 'deep'), { recursive: true });
    await writeFile(join(bundles, 'deep', 'a.pem'), key + certificate + other);
    await writeFile(join(bundles, 'readme.txt'), 'nothing');
    expect(await load('load_folders', [bundles])).to.deep.equal([
      { chain: certificate + other, key, tags: [], source: join(bundles, 'deep', 'a.pem') },
    ]);
    await writeFile(join(bundles, 'b.pem'), certificate);
    expect(await load('load_folders', [bundles])).to.contain('b.pem: no PEM private key found');
    expect(await load('load_folders', [join(folder, 'none')])).to.contain('ENOENT');
  });

  it('load_storage loads certificates from storage keys', async () => {
    storage.values.set('x/a.crt', certificate).set('x/a.key', key);
    const pairs = [{ certificate: 'x/a.crt', key: 'x/a.key', tags: ['s'] }];
    expect(await load('load_storage', { pairs })).to.deep.equal([
      { chain: certificate, key, tags: ['s'], source: 'x/a.crt' },
    ]);
    expect(await load('load_storage', { pairs: [{ certificate: 'x/b.crt', key: 'x/a.key' }] })).to.contain('x/b.crt');
  });

  // Attack in docs/security.md: Certificate files that are only partially updated or become invalid.
  it('certificate loaders report changed files, but not incomplete changes', async () => {
    const [crt, keyFile] = [join(folder, 'w.crt'), join(folder, 'w.key')];
    await Promise.all([writeFile(crt, certificate), writeFile(keyFile, key)]);
    const loader = await loaderOf('load_files', [{ certificate: crt, key: keyFile }]);
    const { promise, resolve } = Promise.withResolvers<readonly LoadedCertificate[]>();
    const stop = loader.watch?.(resolve);
    await new Promise((done) => setTimeout(done, 100));
    await writeFile(crt, certificate + other);
    const [changed] = await promise;
    expect(changed?.chain).to.equal(certificate + other);
    stop?.();
  });
});
