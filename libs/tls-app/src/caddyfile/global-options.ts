/** Global options of the app `tls`. */
import {
  readFlag,
  readPreferredChains,
  asJson,
  compact,
  moduleObject,
  readDuration,
  type Dispenser,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptions,
  type IssuerConfig,
} from '@sluice/caddyfile';
import { SluiceError, isObject, messageOf, parseNanoseconds, type Json, type JsonObject } from '@sluice/base';
import { readIssuer, readRatio } from './shared-syntax.ts';

/** Options of one word. */
export const text: GlobalOption = (reader) => reader.lastArgument();

/** Options that are said or not. */
export const flag: GlobalOption = (reader) => readFlag(reader);

/** `storage_check off` */
export const off: GlobalOption = (reader) => {
  const what = reader.value;
  const value = reader.lastArgument();
  if (value !== 'off') throw reader.error(`${what} must be 'off'`);
  return value;
};

/** `ocsp_interval TIME`, `renew_interval TIME` */
export const duration: GlobalOption = (reader) => nanoseconds(reader.argument());

function nanoseconds(value: string): number {
  try {
    return Number(parseNanoseconds(value));
  } catch (error) {
    throw new SluiceError('ERR_VALUE', `time: invalid duration ${JSON.stringify(value)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** `storage_clean_interval TIME | off` */
export const cleanInterval: GlobalOption = (reader) => {
  const value = reader.lastArgument();
  return value === 'off' ? 'off' : nanoseconds(value);
};

/** `cert_lifetime TIME` */
export const lifetime: GlobalOption = (reader) => readDuration(reader, reader.argument(), 'cert_lifetime');

/** `renewal_window_ratio NUMBER` */
export const ratio: GlobalOption = (reader) => {
  const value = readRatio(reader);
  reader.nothingMore();
  return value;
};

/** `preferred_chains smallest | { … }` */
export const preferredChains: GlobalOption = readPreferredChains;

/** `tls_resolvers ADDRESS…` */
export const words: GlobalOption = (reader) => reader.arguments();

/** `ocsp_stapling off` */
export const ocspStapling: GlobalOption = (reader) => {
  const value = reader.onlyArgument();
  if (value !== 'off') throw reader.error(`invalid argument '${value}'`);
  return value;
};

/** `cert_issuer NAME …` adds up. */
export const certIssuer: GlobalOption = (reader, earlier): IssuerConfig[] => [
  ...((earlier ?? []) as readonly IssuerConfig[]),
  readIssuer(reader),
];

function provider(reader: Dispenser, name: string): Json {
  return moduleObject('name', name, reader.module(`dns.providers.${name}`));
}

/** `dns PROVIDER …` */
export const dns: GlobalOption = (reader) => provider(reader, reader.argument());

/** `acme_dns [PROVIDER …]` */
export const acmeDns: GlobalOption = (reader) => (reader.nextArgument() ? provider(reader, reader.value) : null);

/** `acme_eab { key_id …; mac_key … }` */
export const acmeEab: GlobalOption = (reader): JsonObject => {
  reader.noArguments();
  const account = { key_id: '', mac_key: '' };
  for (const option of reader.block()) {
    if (option !== 'key_id' && option !== 'mac_key') throw reader.argumentError();
    account[option] = reader.argument();
  }
  return account;
};

/** `on_demand_tls { ask URL; permission MODULE … }` */
export const onDemandTls: GlobalOption = (reader): JsonObject => {
  reader.noArguments();
  let permission: Json = null;
  for (const option of reader.block()) {
    if (permission !== null && (option === 'ask' || option === 'permission'))
      throw reader.error("on-demand TLS permission module (or 'ask') already specified");
    switch (option) {
      case 'ask':
        permission = { endpoint: reader.argument(), module: 'http' };
        break;
      case 'permission': {
        const name = reader.argument();
        permission = moduleObject('module', name, reader.module(`tls.permission.${name}`));
        break;
      }
      case 'interval':
      case 'burst':
        throw reader.error(`the on_demand_tls '${option}' option is no longer supported, remove it from your config`);
      default:
        throw reader.error(`unrecognized parameter '${option}'`);
    }
  }
  if (permission === null) throw reader.error('expected at least one config parameter for on_demand_tls');
  return { permission };
};

/** `ech NAME… { dns PROVIDER … }` */
export const ech: GlobalOption = (reader): JsonObject => {
  const configs = reader.arguments().map((name) => ({ public_name: name }));
  const publication: Json[] = [];
  for (const option of reader.block()) {
    if (option !== 'dns') throw reader.error(`ech: unrecognized subdirective '${option}'`);
    publication.push({ publishers: { dns: { provider: provider(reader, reader.argument()) } } });
  }
  return compact({ configs, publication });
};

/** Puts the fields of the app around its policies. */
export const finishTls: FinishConfig = (apps, options) => {
  const known = apps['tls'];
  const app = isObject(known) ? known : {};
  const automation = compact({
    ...(isObject(app['automation']) ? app['automation'] : {}),
    on_demand: options.get<JsonObject>('on_demand_tls'),
    ocsp_interval: options.get<number>('ocsp_interval'),
    renew_interval: options.get<number>('renew_interval'),
    storage_clean_interval: cleanTime(options),
  });
  const tls = compact({
    certificates: app['certificates'],
    automation,
    disable_ocsp_stapling: options.has('ocsp_stapling'),
    disable_storage_check: options.has('storage_check'),
    disable_storage_clean: options.get('storage_clean_interval') === 'off',
    encrypted_client_hello: options.get<Json>('ech'),
    dns: options.get<Json>('dns'),
    resolvers: asJson(options.get<readonly string[]>('tls_resolvers') ?? []),
  });
  if (Object.keys(tls).length > 0) apps['tls'] = tls;
};

function cleanTime(options: GlobalOptions): number {
  const value = options.get<number | 'off'>('storage_clean_interval');
  return typeof value === 'number' ? value : 0;
}
