/** Creates certificates that tests use once and discard. */
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** Certificate and private key in PEM format. */
export interface ThrowAwayCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a self-signed certificate for host names and IP addresses. It can also serve as a trusted root. */
export async function throwAwayCertificate(names: readonly string[]): Promise<ThrowAwayCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: altNamesOf(names) },
    ],
  });
  return { cert, key };
}

/**
 * Creates a certificate for host names and IP addresses, and the CA certificate that signs it. Some clients reject a CA certificate as a
 * server certificate.
 */
export async function signedCertificate(
  names: readonly string[],
): Promise<ThrowAwayCertificate & { readonly authority: string }> {
  const authority = await throwAwayCertificate(['test authority']);
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    extensions: [{ name: 'subjectAltName', altNames: altNamesOf(names) }],
  });
  return { cert, key, authority: authority.cert };
}

function altNamesOf(names: readonly string[]) {
  return names.map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
}
