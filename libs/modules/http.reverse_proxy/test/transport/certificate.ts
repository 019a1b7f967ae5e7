import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwAwayCertificate, type ThrowAwayCertificate } from '@sluice/testing';

/** A self-signed certificate for `up.test` and 127.0.0.1 and its private key, both as text and as files. */
export interface TestCertificate extends ThrowAwayCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** Removes the files. */
  remove(): void;
}

export async function makeCertificate(): Promise<TestCertificate> {
  const { cert, key } = await throwAwayCertificate(['up.test', '127.0.0.1']);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-certificate-'));
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const remove = (): void => rmSync(folder, { recursive: true });
  return { cert, key, certFile, keyFile, remove };
}
