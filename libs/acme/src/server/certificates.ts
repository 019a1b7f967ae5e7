import { createHash, X509Certificate } from 'node:crypto';
import { jwkOf } from '../protocol/jwk.ts';
import { problem } from '../protocol/problem.ts';
import { accountOf, isSameKey, type Call } from './call.ts';
import { emptyResponse, type ServerResponse } from './message.ts';
import { statusOf } from './orders.ts';
import type { CertificateRecord } from './records.ts';

/** Revocation reasons that a subscriber may specify (RFC 5280 §5.3.1). */
const reasons: ReadonlySet<unknown> = new Set([0, 1, 3, 4, 5, 9]);

/** Handles `POST /certificate/<id>`: returns the certificate and its intermediates. */
export async function certificate(call: Call): Promise<ServerResponse> {
  const [id = '', ...more] = call.segments;
  const record = more.length > 0 ? null : await call.book.certificate(id);
  if (record === null) throw problem('malformed', 'certificate does not exist', { status: 404 });
  if (record.account !== accountOf(call).id)
    throw problem('unauthorized', 'certificate was issued to another account', { status: 401 });
  return { status: 200, headers: [['content-type', 'application/pem-certificate-chain']], body: record.chain };
}

/**
 * Handles `POST /revoke-cert`. A certificate may be revoked by the account that obtained it or by the owner of its private key. An account
 * that is authorized for all names in the certificate may also revoke it.
 */
export async function revoke(call: Call): Promise<ServerResponse> {
  const { book, settings, payload } = call;
  const parsed = readCertificate(payload?.['certificate']);
  const reason = payload?.['reason'] ?? 0;
  if (!reasons.has(reason))
    throw problem(
      'badRevocationReason',
      `revocation reason ${JSON.stringify(reason)} is not supported; see RFC 5280, section 5.3.1`,
    );
  const id = createHash('sha256').update(parsed.raw).digest('hex');
  return book.turns.take(`certificate ${id}`, async () => {
    const record = await book.certificate(id);
    if (record === null) throw problem('malformed', 'certificate was not issued by this server', { status: 404 });
    if (!(await mayRevoke(call, record, parsed)))
      throw problem(
        'unauthorized',
        'certificate cannot be revoked with this key; sign with the certificate key, or with an account that requested the certificate or is authorized for all names in it',
      );
    if (record.revoked !== null) throw problem('alreadyRevoked', 'certificate is already revoked');
    await book.saveCertificate({ ...record, revoked: { at: Date.now(), reason: reason as number } });
    settings.report('info', 'revoked certificate', { certificate: id, reason });
    return emptyResponse(200);
  });
}

function readCertificate(encoded: unknown): X509Certificate {
  try {
    if (typeof encoded === 'string') return new X509Certificate(Buffer.from(encoded, 'base64url'));
  } catch {
    // Ignore the parse error; the code below rejects the request.
  }
  throw problem('malformed', 'certificate must be DER, base64url-encoded without padding');
}

async function mayRevoke(
  { account, jwk, book }: Call,
  record: CertificateRecord,
  of: X509Certificate,
): Promise<boolean> {
  if (account === null) return isSameKey(jwkOf(of.publicKey), jwk);
  if (account.id === record.account) return true;
  const missing = new Set(record.identifiers.map(({ value }) => value));
  for (const id of await book.ordersOf(account.id)) {
    const order = await book.order(account.id, id);
    if (order === null || order.expires <= Date.now()) continue;
    if (statusOf(order) !== 'ready' && order.status !== 'valid') continue;
    for (const { value } of order.identifiers) missing.delete(value);
  }
  return missing.size === 0;
}
