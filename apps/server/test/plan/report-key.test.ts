import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createPublicKey, verify } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ReportKey } from '../../src/persistence/report-key.ts';

describe('signing key of reports', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const isValid = async (jws: string, key: ReportKey): Promise<boolean> => {
    const [header = '', payload = '', signature = ''] = jws.split('.');
    const jwk = createPublicKey({ key: { ...(await key.publicKey()) }, format: 'jwk' });
    return verify(null, Buffer.from(`${header}.${payload}`), jwk, Buffer.from(signature, 'base64url'));
  };

  it('the server signs reports with a key that is readable only by its user, and keeps the key across restarts', async () => {
    const key = new ReportKey(join(folder, 'data'));
    const jws = await key.sign('{"a":1}');
    expect(await isValid(jws, key)).to.equal(true);
    expect(statSync(join(folder, 'data/report-key.pem')).mode & 0o777).to.equal(0o600);
    expect(await isValid(jws, new ReportKey(join(folder, 'data')))).to.equal(true);
    expect(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()).to.equal('{"a":1}');
  });

  it('a modified report fails signature verification', async () => {
    const key = new ReportKey(folder);
    const [header, , signature] = (await key.sign('{"a":1}')).split('.');
    const other = Buffer.from('{"a":2}').toString('base64url');
    expect(await isValid(`${header}.${other}.${signature}`, key)).to.equal(false);
  });

  it('the server does not replace an unreadable report key, and reports an error', async () => {
    writeFileSync(join(folder, 'report-key.pem'), 'broken');
    const key = new ReportKey(folder);
    expect(await key.sign('').then(() => '', String)).to.not.equal('');
    writeFileSync(join(folder, 'report-key.pem'), 'still broken');
    expect(await key.sign('').then(() => '', String)).to.not.equal('');
  });
});
