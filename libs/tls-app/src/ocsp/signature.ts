/** Verifies the signatures of OCSP responses (RFC 6960 §4.2.2.2). */
import { verify, X509Certificate } from 'node:crypto';
import type { BasicOCSPResponse } from '@peculiar/asn1-ocsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import { SluiceError } from '@sluice/base';

/** Hash for each signature algorithm (RFC 5758, RFC 8017, RFC 8410). SHA-1 signatures are rejected as insecure. */
const hashes: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

/** OID of the extended key usage that delegated OCSP responders must have. */
const ocspSigning = '1.3.6.1.5.5.7.3.9';
/** Maximum number of certificates in an OCSP response. */
const maxCertificates = 8;

/**
 * Returns the certificate that signed an OCSP response: the issuer, or a delegated responder contained in the response. Throws if the
 * signer is not authorized.
 */
export function signerOf(response: BasicOCSPResponse, issuer: X509Certificate): X509Certificate {
  const { algorithm } = response.signatureAlgorithm;
  const hash = hashes[algorithm];
  if (hash === undefined) throw new SluiceError('ERR_OCSP', `unsupported OCSP signature algorithm: ${algorithm}`);
  const signed = new Uint8Array(response.tbsResponseDataRaw ?? AsnConvert.serialize(response.tbsResponseData));
  const signature = new Uint8Array(response.signature);
  for (const candidate of candidatesIn(response, issuer))
    if (verify(hash, signed, candidate.publicKey, signature)) return candidate;
  throw new SluiceError(
    'ERR_OCSP',
    'the OCSP response is signed neither by the issuer of the certificate nor by a delegated responder',
  );
}

function* candidatesIn(response: BasicOCSPResponse, issuer: X509Certificate): Iterable<X509Certificate> {
  yield issuer;
  const now = Date.now();
  for (const certificate of (response.certs ?? []).slice(0, maxCertificates)) {
    const delegate = new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)));
    if (!(delegate.keyUsage ?? []).includes(ocspSigning)) continue;
    if (delegate.validFromDate.getTime() > now || delegate.validToDate.getTime() < now) continue;
    if (delegate.checkIssued(issuer) && delegate.verify(issuer.publicKey)) yield delegate;
  }
}
