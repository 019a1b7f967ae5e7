/** `tls.certificates.load_folders`: loads PEM bundles from directories. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineModule, listOptions, text } from '@sluice/registry';
import { SluiceError, messageOf } from '@sluice/base';
import { certificateLoaders, expandGlobal, type CertificateLoader, type LoadedCertificate } from '@sluice/tls-app';
import { splitBundle } from '../common/pair.ts';
import { watch } from '../common/watch.ts';

export const loadFoldersModule = defineModule(certificateLoaders, {
  name: 'load_folders',
  help: 'Loads certificates and keys from .pem files in directories and their subdirectories. Each file contains a certificate, its chain and its private key. Changes to the files take effect without reloading the configuration.',
  config: listOptions('Directories to search for .pem files.', text()),
  provision(config, context): CertificateLoader {
    const folders = config.map(expandGlobal);
    const load = async (): Promise<LoadedCertificate[]> => Promise.all((await bundlesIn(folders)).map(readBundle));
    const stamp = async (): Promise<string> => (await Promise.all((await bundlesIn(folders)).map(stampOf))).join('\n');
    const { log } = context;
    return { load, watch: (changed) => watch({ stamp, load, log }, changed) };
  },
});

async function bundlesIn(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      throw new SluiceError('ERR_CERTIFICATE', `${folder}: ${messageOf(error)}`, { cause: error });
    });
    for (const entry of entries)
      if (!entry.isDirectory() && entry.name.toLowerCase().endsWith('.pem'))
        found.push(join(entry.parentPath, entry.name));
  }
  return found.sort();
}

async function readBundle(path: string): Promise<LoadedCertificate> {
  return splitBundle(await readFile(path, 'utf8'), path);
}

async function stampOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${path} ${mtimeMs} ${size} ${ino}`;
}
