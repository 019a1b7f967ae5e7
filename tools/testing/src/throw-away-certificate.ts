/** Certificates that tests make, use once and throw away. */
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** Certificate and key as PEM. */
export interface ThrowAwayCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate of host names and addresses. Clients that take it as an authority trust it. */
export async function throwAwayCertificate(names: readonly string[]): Promise<ThrowAwayCertificate> {
  const altNames = names.map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
  const { cert, private: key } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { cert, key };
}
