/** `tls.certificates.load_files`: loads certificates from files. */
import { readFile, stat } from 'node:fs/promises';
import { defineModule, listOptions } from '@sluice/registry';
import { SluiceError, messageOf } from '@sluice/base';
import { certificateLoaders, type CertificateLoader, type LoadedCertificate } from '@sluice/tls-app';
import { pairOptions, placeOf, type Place } from '../common/pair.ts';
import { watch } from '../common/watch.ts';

export const loadFilesModule = defineModule(certificateLoaders, {
  name: 'load_files',
  help: 'Loads certificates and keys from PEM files. Changes to the files take effect without reloading the configuration.',
  config: listOptions('Pairs of certificate and key files.', pairOptions),
  provision(config, context): CertificateLoader {
    const places = config.map((pair, i) => placeOf(pair, context, i));
    const load = async (): Promise<LoadedCertificate[]> => Promise.all(places.map(readPlace));
    const stamp = async (): Promise<string> => (await Promise.all(places.map(stampOf))).join('\n');
    const { log } = context;
    return { load, watch: (changed) => watch({ stamp, load, log }, changed) };
  },
});

async function readPlace({ certificate, key, tags }: Place): Promise<LoadedCertificate> {
  return { chain: await read(certificate), key: await read(key), tags, source: certificate };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SluiceError('ERR_CERTIFICATE', `${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function stampOf({ certificate, key }: Place): Promise<string> {
  const [one, other] = await Promise.all([stat(certificate), stat(key)]);
  return `${one.mtimeMs} ${one.size} ${one.ino} ${other.mtimeMs} ${other.size} ${other.ino}`;
}
