/** `tls.ca_pool.source.file`: loads CA certificates from files. */
import { readFile } from 'node:fs/promises';
import { caPoolSources, checkedCertificates, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings, type Context } from '@sluice/registry';
import { messageOf } from '@sluice/base';

export const fileModule = defineModule(caPoolSources, {
  name: 'file',
  help: 'Reads trusted certificate authorities from PEM files when the configuration is loaded.',
  config: options({ pem_files: strings('Paths of PEM files, each containing one or more certificates.') }),
  async provision(config, context): Promise<CaPool> {
    const lists = await Promise.all((config.pem_files ?? []).map((path, index) => read(path, index, context)));
    return { certificates: lists.flat() };
  },
});

async function read(path: string, index: number, context: Context): Promise<string[]> {
  try {
    return checkedCertificates(await readFile(path, 'utf8'), path);
  } catch (error) {
    throw context.error(messageOf(error), 'pem_files', index);
  }
}
