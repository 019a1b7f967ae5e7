/** Certificate revocation by the ACME client (RFC 8555 §7.6). */
import { X509Certificate } from 'node:crypto';
import type { Account } from './account.ts';
import type { Session } from './session.ts';

/** Revokes the first certificate in a PEM string. `reason` is a CRL reason code (RFC 5280 §5.3.1). */
export async function revokeCertificate(
  session: Session,
  account: Account,
  pem: string,
  reason: number,
): Promise<void> {
  const { revokeCert } = await session.directory();
  const certificate = new X509Certificate(pem).raw.toString('base64url');
  await session.post(revokeCert, { key: account.key, signer: { kid: account.url } }, { certificate, reason });
}
