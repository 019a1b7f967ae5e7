/** TLS towards an engine: options of modules, and what is in the files that they name. */
import { readFile } from 'node:fs/promises';
import { options, string, type Options } from '@sluice/registry';

/** The options. */
export const storeTls = options({
  ca: string('PEM file containing trusted certificate authorities. Default: those of the system.'),
  certificate: string('PEM file containing the client certificate to present. Default: none.'),
  key: string('PEM file containing the private key of the client certificate.'),
});

/** PEM; `null` for what is not there. */
export interface TlsFiles {
  readonly ca: Buffer | null;
  readonly certificate: Buffer | null;
  readonly key: Buffer | null;
  /** Whether any certificate will do. */
  readonly insecure?: boolean;
}

/** Reads the files; `null` where connections are to be without TLS. */
export async function readTlsFiles(config: Options<typeof storeTls> | null | undefined): Promise<TlsFiles | null> {
  if (config === null || config === undefined) return null;
  const [ca, certificate, key] = await Promise.all([config.ca, config.certificate, config.key].map(readOptional));
  return { ca: ca ?? null, certificate: certificate ?? null, key: key ?? null };
}

async function readOptional(path: string | null | undefined): Promise<Buffer | null> {
  return (path ?? '') === '' ? null : readFile(path as string);
}
