/** Global options that set fields of the app `tls`. */
import { isObject, messageOf, parseNanoseconds, SluiceError, type Json, type JsonObject } from '@sluice/base';
import {
  compact,
  durationWord,
  list,
  listAt,
  module,
  moduleLines,
  note,
  option,
  text,
  valueAt,
  word,
  words,
  written,
  type Dispenser,
  type Line,
  type OptionSyntax,
  type WriteGlobalOption,
  readModule,
} from '@sluice/caddyfile';
import { readProvider } from './policy-options.ts';

function nanoseconds(value: string): number {
  try {
    return Number(parseNanoseconds(value));
  } catch (error) {
    throw new SluiceError('ERR_VALUE', `time: invalid duration ${JSON.stringify(value)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A duration whose errors have no place, as in Caddy. */
function interval(name: string, example: string): OptionSyntax {
  return option({
    at: `apps.tls.automation.${name}`,
    line: word('<duration>', { takes: 'more', convert: (_reader, value) => nanoseconds(value), words: durationWord }),
    example,
  });
}

/** An option `off`, which sets a field of the app to true. */
function off(
  field: string,
  grammar: { readonly help: string; readonly example: string },
  read: (reader: Dispenser, name: string) => string,
): OptionSyntax {
  return option(
    { line: note('off', ''), ...grammar },
    {
      read: (reader) => read(reader, reader.value),
      write: (document) => (valueAt(document, ['apps', 'tls', field]) === true ? [{ words: ['off'] }] : null),
    },
  );
}

/** `on_demand_tls { ask URL }`, or another permission. */
const writeOnDemand: WriteGlobalOption = async (document, writer) => {
  const permission = valueAt(document, ['apps', 'tls', 'automation', 'on_demand', 'permission']);
  if (!isObject(permission)) return null;
  const { module, endpoint, ...others } = permission;
  const isAsked = module === 'http' && Object.keys(others).length === 0;
  const option = { option: 'permission', namespace: 'tls.permission', key: 'module' };
  const block = isAsked ? [{ words: ['ask', ...words(endpoint)] }] : await moduleLines(option, permission, writer);
  return [{ block }];
};

/** `ech NAME… { dns PROVIDER … }` */
const writeEch: WriteGlobalOption = async (document, writer) => {
  const path = ['apps', 'tls', 'encrypted_client_hello'];
  const names = listAt(document, [...path, 'configs']).flatMap((each) => words(valueAt(each, ['public_name'])));
  if (names.length === 0) return null;
  const lines: Line[] = [];
  for (const each of listAt(document, [...path, 'publication'])) {
    lines.push(
      ...(await moduleLines(
        { option: 'dns', namespace: 'dns.providers', key: 'name' },
        valueAt(each, ['publishers', 'dns', 'provider']),
        writer,
      )),
    );
  }
  return [written(names, lines)];
};

export const appOptions = {
  on_demand_tls: option(
    {
      block: {
        ask: text('<url>', { help: 'URL that is called with `?domain=`; 200 allows the certificate.' }),
        permission: module('tls.permission', 'module', { help: 'Module that decides.' }),
      },
      help: 'Permission to obtain certificates during handshakes, from a URL or a module.',
      example: 'on_demand_tls {\n\task http://localhost:5555/allowed\n}',
    },
    {
      read(reader): JsonObject {
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
              permission = readModule(reader, 'tls.permission', 'module', name);
              break;
            }
            case 'interval':
            case 'burst':
              throw reader.error(
                `the on_demand_tls '${option}' option is no longer supported, remove it from your config`,
              );
            default:
              throw reader.error(`unrecognized parameter '${option}'`);
          }
        }
        if (permission === null) throw reader.error('expected at least one config parameter for on_demand_tls');
        return { permission };
      },
      write: writeOnDemand,
    },
  ),
  ocsp_interval: interval('ocsp_interval', 'ocsp_interval 2h'),
  renew_interval: interval('renew_interval', 'renew_interval 30m'),
  storage_clean_interval: option(
    {
      line: word('<duration>|off', {
        takes: 'last',
        convert: (_reader, value) => (value === 'off' ? value : nanoseconds(value)),
      }),
      help: 'Interval between removals of expired items from storage.',
      example: 'storage_clean_interval 7d',
    },
    {
      write(document) {
        if (valueAt(document, ['apps', 'tls', 'disable_storage_clean']) === true) return [{ words: ['off'] }];
        const value = valueAt(document, ['apps', 'tls', 'automation', 'storage_clean_interval']);
        return value === undefined ? null : [{ words: durationWord(value) }];
      },
    },
  ),
  ocsp_stapling: off(
    'disable_ocsp_stapling',
    { help: 'Disables OCSP stapling.', example: 'ocsp_stapling off' },
    (reader) => {
      const value = reader.onlyArgument();
      if (value !== 'off') throw reader.error(`invalid argument '${value}'`);
      return value;
    },
  ),
  storage_check: off(
    'disable_storage_check',
    { help: 'Disables the storage check before certificates are requested.', example: 'storage_check off' },
    (reader, name) => {
      const value = reader.lastArgument();
      if (value !== 'off') throw reader.error(`${name} must be 'off'`);
      return value;
    },
  ),
  tls_resolvers: option({
    at: 'apps.tls.resolvers',
    line: list('<address>…'),
    help: 'DNS servers for DNS challenges.',
    example: 'tls_resolvers 1.1.1.1',
  }),
  dns: option({
    at: 'apps.tls.dns',
    line: module('dns.providers', 'name', { shown: '<provider> …' }),
    help: 'Default DNS provider. Providers are separate packages.',
    example: 'dns cloudflare {env.CLOUDFLARE_TOKEN}\nacme_dns',
  }),
  ech: option(
    {
      shown: ['<public_name>…'],
      block: {
        dns: module('dns.providers', 'name', { shown: '<provider> …', help: 'DNS provider to publish the keys with.' }),
      },
      help: 'Accepted and kept in the JSON, no effect: Encrypted Client Hello with these public names is not supported in this build.',
      example: 'ech public.example.com',
    },
    {
      read(reader): JsonObject {
        const configs = reader.arguments().map((name) => ({ public_name: name }));
        const publication: Json[] = [];
        for (const each of reader.block()) {
          if (each !== 'dns') throw reader.error(`ech: unrecognized subdirective '${each}'`);
          publication.push({ publishers: { dns: { provider: readProvider(reader, reader.argument()) } } });
        }
        return compact({ configs, publication });
      },
      write: writeEch,
    },
  ),
};
