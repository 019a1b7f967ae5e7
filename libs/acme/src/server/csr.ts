/** Names in a certificate request (RFC 8555 §7.4). */
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { problem, type Identifier } from '../protocol/problem.ts';
import { canonicalAddress } from './identifiers.ts';

/**
 * Checks that a request (DER) is signed by its key and names exactly the identifiers, whether as common name or as
 * alternative name; a problem of type `badCSR` otherwise.
 */
export async function checkCsr(csr: Buffer, identifiers: readonly Identifier[]): Promise<void> {
  const request = read(csr);
  let genuine: boolean;
  try {
    genuine = await request.verify();
  } catch (error) {
    throw problem('badCSR', `the signature of the request can't be verified: ${(error as Error).message}`);
  }
  if (!genuine) throw problem('badCSR', 'the signature of the request is not that of its key');
  const wanted = new Set(identifiers.map(({ value }) => value));
  const named = namesOf(request);
  for (const name of named)
    if (!wanted.has(name)) throw problem('badCSR', `the request names ${JSON.stringify(name)}, the order does not`);
  for (const name of wanted)
    if (!named.has(name)) throw problem('badCSR', `the order names ${JSON.stringify(name)}, the request does not`);
}

function read(csr: Buffer): x509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(csr);
  } catch (error) {
    throw problem('badCSR', `the request can't be read: ${(error as Error).message}`);
  }
}

function namesOf(request: x509.Pkcs10CertificateRequest): ReadonlySet<string> {
  const names = new Set(request.subjectName.getField('CN').map(spelling));
  // The library finds extensions of requests by their identifier only.
  const extension = request.getExtension('2.5.29.17');
  if (extension === null) return names;
  for (const { type, value } of new x509.SubjectAlternativeNameExtension(extension.rawData).names.items) {
    if (type !== 'dns' && type !== 'ip')
      throw problem('badCSR', `the request has a name of type ${type}; names of hosts and addresses can be had`);
    names.add(spelling(value));
  }
  return names;
}

function spelling(name: string): string {
  return isIP(name) === 0 ? name.toLowerCase() : canonicalAddress(name);
}
