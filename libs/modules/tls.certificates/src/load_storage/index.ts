/** `tls.certificates.load_storage`: loads certificates from a storage backend. */
import { SluiceError } from '@sluice/base';
import { defineModule, inlineModule, list, options } from '@sluice/registry';
import { storages, storageToken, type Storage } from '@sluice/contracts';
import { certificateLoaders, type CertificateLoader, type LoadedCertificate } from '@sluice/tls-app';
import { pairOptions, placeOf, type Place } from '../common/pair.ts';
import { watch } from '../common/watch.ts';

export const loadStorageModule = defineModule(certificateLoaders, {
  name: 'load_storage',
  help: 'Loads PEM certificates and keys from storage. Changes in storage take effect without reloading the configuration.',
  config: options({
    storage: inlineModule('Storage to read certificates from. Default: the configured storage.', storages, 'module'),
    pairs: list('Pairs of storage keys, for a certificate and its private key.', pairOptions),
  }),
  async provision(config, context): Promise<CertificateLoader> {
    const storage =
      (config.storage ?? null) === null
        ? await context.app(storageToken)
        : await context.loadInline(storages, config.storage ?? {}, 'module', 'storage');
    const places = (config.pairs ?? []).map((pair, i) => placeOf(pair, context, 'pairs', i));
    const load = async (): Promise<LoadedCertificate[]> =>
      Promise.all(places.map((place) => readPlace(storage, place)));
    const stamp = async (): Promise<string> =>
      (await Promise.all(places.map((place) => stampOf(storage, place)))).join('\n');
    const { log } = context;
    return { load, watch: (changed) => watch({ stamp, load, log }, changed) };
  },
});

async function readPlace(storage: Storage, { certificate, key, tags }: Place): Promise<LoadedCertificate> {
  return {
    chain: await read(storage, certificate),
    key: await read(storage, key),
    tags,
    source: certificate,
  };
}

async function read(storage: Storage, key: string): Promise<string> {
  const value = await storage.load(key);
  if (value === null) throw new SluiceError('ERR_CERTIFICATE', `${key}: the key does not exist in storage`);
  return value.toString('utf8');
}

async function stampOf(storage: Storage, { certificate, key }: Place): Promise<string> {
  const [one, other] = await Promise.all([storage.stat(certificate), storage.stat(key)]);
  return `${one?.modified} ${one?.size} ${other?.modified} ${other?.size}`;
}
