/** TLS options for store connections, and the contents of the TLS files. */
import { readFile } from 'node:fs/promises';
import { options, string, type Options } from '@sluice/registry';

export const storeTls = options({
  ca: string(
    "Path of a PEM file that contains the trusted certificate authorities. Default: the system's authorities.",
  ),
  certificate: string('Path of a PEM file that contains the client certificate to present. Default: none.'),
  key: string('Path of a PEM file that contains the private key of the client certificate.'),
});

/** Contents of TLS files in PEM format; `null` if not configured. */
export interface TlsFiles {
  readonly ca: Buffer | null;
  readonly certificate: Buffer | null;
  readonly key: Buffer | null;
  /** Disables certificate verification. */
  readonly insecure?: boolean;
}

/** Reads the TLS files. Returns `null` if TLS is disabled. */
export async function readTlsFiles(config: Options<typeof storeTls> | null | undefined): Promise<TlsFiles | null> {
  if (config === null || config === undefined) return null;
  const [ca, certificate, key] = await Promise.all([config.ca, config.certificate, config.key].map(readOptional));
  return { ca: ca ?? null, certificate: certificate ?? null, key: key ?? null };
}

async function readOptional(path: string | null | undefined): Promise<Buffer | null> {
  return (path ?? '') === '' ? null : readFile(path as string);
}
