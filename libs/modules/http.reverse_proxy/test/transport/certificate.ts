import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate of `up.test` and 127.0.0.1 that no one else has signed, with its key, as texts and as files. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** Removes the files. */
  remove(): void;
}

/** Makes one. */
export async function makeCertificate(): Promise<TestCertificate> {
  const made = await generate([{ name: 'commonName', value: 'up.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'up.test' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-certificate-'));
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certFile, made.cert);
  writeFileSync(keyFile, made.private, { mode: 0o600 });
  const remove = (): void => rmSync(folder, { recursive: true });
  return { cert: made.cert, key: made.private, certFile, keyFile, remove };
}
