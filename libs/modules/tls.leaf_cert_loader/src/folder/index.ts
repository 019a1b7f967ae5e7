/** `tls.leaf_cert_loader.folder`: loads client certificates from all files in directories. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineModule, options, strings } from '@sluice/registry';
import { leafLoaders, type LeafLoader } from '@sluice/contracts';
import { expandGlobal } from '@sluice/tls-app';
import { certificatesIn } from '../common/certificates.ts';

export const folderModule = defineModule(leafLoaders, {
  name: 'folder',
  help: 'Reads accepted client certificates from .pem files in directories and their subdirectories when the configuration is loaded.',
  config: options({ folders: strings('Directories to search for .pem files.') }),
  provision(config): LeafLoader {
    const folders = (config.folders ?? []).map(expandGlobal);
    return {
      load: async () => (await Promise.all(folders.map(readFolder))).flat(),
    };
  },
});

async function readFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory() && entry.name.toLowerCase().endsWith('.pem'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return (await Promise.all(paths.map(async (path) => certificatesIn(await readFile(path, 'utf8'), path)))).flat();
}
