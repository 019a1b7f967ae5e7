/** Creates OCSP requests (RFC 6960 §4.1). They contain no nonce, so that responders can send pre-produced responses (RFC 5019 §2.1). */
import { createHash, type X509Certificate } from 'node:crypto';
import { CertID, OCSPRequest, Request, TBSRequest } from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';

// OID of SHA-1, which all responders support for certificate identifiers. SHA-1 is safe here, because responses are signed with a different
// hash.
const sha1 = '1.3.14.3.2.26';

/** Returns the OCSP identifier of a certificate (CertID). */
export function certificateId(leaf: X509Certificate, issuer: X509Certificate): CertID {
  const { subject, subjectPublicKeyInfo } = AsnConvert.parse(issuer.raw, Certificate).tbsCertificate;
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1, parameters: null }),
    issuerNameHash: digestOf(AsnConvert.serialize(subject)),
    issuerKeyHash: digestOf(subjectPublicKeyInfo.subjectPublicKey),
    serialNumber: AsnConvert.parse(leaf.raw, Certificate).tbsCertificate.serialNumber,
  });
}

/** Reports whether two OCSP identifiers refer to the same certificate. */
export function isSameId(one: CertID, other: CertID): boolean {
  return (
    one.hashAlgorithm.algorithm === other.hashAlgorithm.algorithm &&
    isSame(one.serialNumber, other.serialNumber) &&
    isSame(one.issuerKeyHash.buffer, other.issuerKeyHash.buffer) &&
    isSame(one.issuerNameHash.buffer, other.issuerNameHash.buffer)
  );
}

/** Returns a DER-encoded OCSP request for the status of a certificate. */
export function questionAbout(id: CertID): Buffer {
  const request = new OCSPRequest({ tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: id })] }) });
  return Buffer.from(AsnConvert.serialize(request));
}

function digestOf(bytes: ArrayBuffer): OctetString {
  return new OctetString(new Uint8Array(createHash('sha1').update(new Uint8Array(bytes)).digest()));
}

function isSame(one: ArrayBuffer, other: ArrayBuffer): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}
