/** `tls.leaf_cert_loader.file`: loads client certificates from files. */
import { readFile } from 'node:fs/promises';
import { defineModule, options, strings } from '@sluice/registry';
import { leafLoaders, type LeafLoader } from '@sluice/contracts';
import { expandGlobal } from '@sluice/tls-app';
import { certificatesIn } from '../common/certificates.ts';

export const fileModule = defineModule(leafLoaders, {
  name: 'file',
  help: 'Reads accepted client certificates from files when the configuration is loaded.',
  config: options({ files: strings('Paths of PEM files, each containing one or more certificates.') }),
  provision(config): LeafLoader {
    const paths = (config.files ?? []).map(expandGlobal);
    return {
      load: async () => {
        const lists = await Promise.all(paths.map(async (path) => certificatesIn(await readFile(path, 'utf8'), path)));
        return lists.flat();
      },
    };
  },
});
