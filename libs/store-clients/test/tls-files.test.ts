import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTlsFiles } from '@sluice/store-clients';

describe('readTlsFiles', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-store-tls-'));
    for (const name of ['ca', 'certificate', 'key']) await writeFile(join(folder, name), `the ${name}`);
  });
  after(() => rm(folder, { recursive: true }));

  it('readTlsFiles reads the configured files', async () => {
    const [ca, certificate, key] = [join(folder, 'ca'), join(folder, 'certificate'), join(folder, 'key')];
    expect(await readTlsFiles({ ca, certificate, key })).to.deep.equal({
      ca: Buffer.from('the ca'),
      certificate: Buffer.from('the certificate'),
      key: Buffer.from('the key'),
    });
    expect(await readTlsFiles({ ca })).to.deep.equal({ ca: Buffer.from('the ca'), certificate: null, key: null });
  });

  it('readTlsFiles uses the system authorities if no files are configured', async () => {
    for (const config of [{}, { ca: '', certificate: null }])
      expect(await readTlsFiles(config)).to.deep.equal({ ca: null, certificate: null, key: null });
  });

  it('readTlsFiles returns null if TLS is not configured', async () => {
    for (const config of [null, undefined]) expect(await readTlsFiles(config)).to.equal(null);
  });

  it('readTlsFiles rejects if a file is missing', async () => {
    const missing = await readTlsFiles({ ca: join(folder, 'missing') }).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'ENOENT' });
  });
});
