/** TLS towards an engine: options of modules, and what is in the files that they name. */
import { readFile } from 'node:fs/promises';
import { options, string, type Options } from '@sluice/registry';

/** The options. */
export const storeTls = options({
  ca: string(
    'File of the authorities that the servers may have their certificates from. Default: those of the system.',
  ),
  certificate: string('File of the certificate that we show, where they ask for one. Default: none.'),
  key: string('File of its key.'),
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
