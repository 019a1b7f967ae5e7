/** Certificate and key from two sources, or from one bundle. */
import { SluiceError } from '@sluice/base';
import { list, options, string, text, type Context, type Options } from '@sluice/registry';
import { expandGlobal, type LoadedCertificate } from '@sluice/tls-app';

/** Options for the locations of a certificate and its key: files or storage keys. */
export const pairOptions = options({
  certificate: string(
    'Path or storage key of a PEM file that contains the certificate, followed by its intermediate certificates.',
  ),
  key: string('Path or storage key of a PEM file that contains the private key.'),
  format: string('Format of the certificate and the key. Only `pem`, the default, is supported.'),
  tags: list('Tags by which connection policies can select the certificate.', text()),
});

/** Locations of a certificate and of its private key. */
export interface Place {
  readonly certificate: string;
  readonly key: string;
  readonly tags: readonly string[];
}

/** Validates the locations of a certificate and its key, and expands placeholders. */
export function placeOf(pair: Options<typeof pairOptions>, context: Context, ...at: (string | number)[]): Place {
  if ((pair.format || 'pem') !== 'pem')
    throw context.error(`${JSON.stringify(pair.format)} is not a supported format; use pem`, ...at, 'format');
  return {
    certificate: expandGlobal(pair.certificate ?? ''),
    key: expandGlobal(pair.key ?? ''),
    tags: pair.tags ?? [],
  };
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** Splits a PEM bundle into its certificates, in order, and the first private key. Throws if either is missing. */
export function splitBundle(pem: string, source: string): LoadedCertificate {
  const certificates: string[] = [];
  let key: string | null = null;
  for (const [text, label = ''] of pem.matchAll(block)) {
    if (label === 'CERTIFICATE') certificates.push(text);
    else if (label.endsWith('PRIVATE KEY')) key ??= text;
  }
  if (certificates.length === 0) throw new SluiceError('ERR_CERTIFICATE', `${source}: no PEM certificate found`);
  if (key === null) throw new SluiceError('ERR_CERTIFICATE', `${source}: no PEM private key found`);
  return { chain: `${certificates.join('\n')}\n`, key: `${key}\n`, tags: [], source };
}
