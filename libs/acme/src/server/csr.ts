/** Validates certificate signing requests (RFC 8555 §7.4). */
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { problem, type Identifier } from '../protocol/problem.ts';
import { canonicalAddress } from './identifiers.ts';

/**
 * Checks that a DER-encoded CSR is signed with its own key. Its common name and subject alternative names must be exactly the given
 * identifiers. Throws a problem of type `badCSR` if a check fails.
 */
export async function checkCsr(csr: Buffer, identifiers: readonly Identifier[]): Promise<void> {
  const request = read(csr);
  let genuine: boolean;
  try {
    genuine = await request.verify();
  } catch (error) {
    throw problem('badCSR', `cannot verify the signature of the CSR: ${(error as Error).message}`);
  }
  if (!genuine) throw problem('badCSR', 'signature of the CSR does not match its key');
  const wanted = new Set(identifiers.map(({ value }) => value));
  const named = namesOf(request);
  for (const name of named)
    if (!wanted.has(name)) throw problem('badCSR', `CSR contains ${JSON.stringify(name)}, which is not in the order`);
  for (const name of wanted)
    if (!named.has(name)) throw problem('badCSR', `order contains ${JSON.stringify(name)}, which is not in the CSR`);
}

function read(csr: Buffer): x509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(csr);
  } catch (error) {
    throw problem('badCSR', `cannot parse CSR: ${(error as Error).message}`);
  }
}

function namesOf(request: x509.Pkcs10CertificateRequest): ReadonlySet<string> {
  const names = new Set(request.subjectName.getField('CN').map(spelling));
  // The library supports looking up CSR extensions only by OID.
  const extension = request.getExtension('2.5.29.17');
  if (extension === null) return names;
  for (const { type, value } of new x509.SubjectAlternativeNameExtension(extension.rawData).names.items) {
    if (type !== 'dns' && type !== 'ip')
      throw problem('badCSR', `CSR contains a name of type ${type}; only DNS names and IP addresses are supported`);
    names.add(spelling(value));
  }
  return names;
}

function spelling(name: string): string {
  return isIP(name) === 0 ? name.toLowerCase() : canonicalAddress(name);
}
