/** Validation of the `tls-alpn-01` challenge (RFC 8737; RFC 8738 §6 for IP addresses). */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { acmeIdentifierOid, acmeIdentifierValue, acmeTlsProtocol } from '../../protocol/challenge.ts';
import { reverseName } from '../../protocol/reverse-name.ts';
import { problem, type Identifier } from '../../protocol/problem.ts';
import { canonicalAddress } from '../identifiers.ts';
import { connectionProblem, type ValidationNetwork } from './network.ts';
import type { Validation } from './validation.ts';

/** Performs a TLS handshake with the ALPN protocol `acme-tls/1` and checks the server certificate. */
export async function validateTlsAlpn(validation: Validation, network: ValidationNetwork): Promise<void> {
  const certificate = new x509.X509Certificate(await presented(validation.identifier.value, network));
  const names = certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
  const [name] = names;
  if (names.length !== 1 || name === undefined || !isFor(validation.identifier, name.type, name.value))
    throw problem('incorrectResponse', 'certificate must contain exactly the requested name');
  const extension = certificate.getExtension(acmeIdentifierOid);
  if (extension === null || !extension.critical)
    throw problem('incorrectResponse', 'certificate has no critical acmeIdentifier extension');
  if (!Buffer.from(extension.value).equals(acmeIdentifierValue(validation.authorization)))
    throw problem('incorrectResponse', 'acmeIdentifier extension does not match the key authorization');
}

function isFor({ type, value }: Identifier, nameType: string, name: string): boolean {
  if (type === 'ip') return nameType === 'ip' && canonicalAddress(name) === value;
  return nameType === 'dns' && name.toLowerCase() === value;
}

/** Returns the DER-encoded certificate that the server presents. */
function presented(host: string, { lookup, tlsPort, timeout }: ValidationNetwork): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({
    host,
    port: tlsPort,
    servername: isIP(host) === 0 ? host : reverseName(host),
    ALPNProtocols: [acmeTlsProtocol],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: false,
    lookup,
  });
  const what = `handshake with ${host} on port ${tlsPort}`;
  const timer = setTimeout(() => socket.destroy(new Error('timed out')), timeout);
  socket.once('error', (error) => reject(connectionProblem(what, error)));
  socket.once('close', () => clearTimeout(timer));
  socket.once('secureConnect', () => {
    try {
      const certificate = socket.getPeerX509Certificate();
      if (socket.alpnProtocol !== acmeTlsProtocol)
        reject(problem('tls', `${what}: ALPN protocol ${acmeTlsProtocol} was not negotiated`));
      else if (certificate === undefined) reject(problem('tls', `${what}: no certificate was presented`));
      else resolve(certificate.raw);
    } catch (error) {
      reject(error);
    }
    socket.destroy();
  });
  return promise;
}
