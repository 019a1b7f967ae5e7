/** Global Caddyfile options that set fields of the `tls` app. */
import { isObject, messageOf, parseNanoseconds, SluiceError, type Json } from '@sluice/base';
import {
  durationWord,
  list,
  listAt,
  module,
  moduleLines,
  none,
  oneOf,
  option,
  valueAt,
  word,
  words,
  type Line,
  type OptionSyntax,
  type Term,
} from '@sluice/caddyfile';
import { readProvider } from './shared-syntax.ts';

function nanoseconds(value: string): number {
  try {
    return Number(parseNanoseconds(value));
  } catch (error) {
    throw new SluiceError('ERR_VALUE', `time: invalid duration ${JSON.stringify(value)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Declares a duration option. As in Caddy, its errors do not include a location. */
function interval(name: string, example: string): OptionSyntax {
  return option({
    at: `apps.tls.automation.${name}`,
    line: word('<duration>', { takes: 'more', convert: (_reader, value) => nanoseconds(value), words: durationWord }),
    example,
  });
}

/** Declares an option with the value `off`, which sets a field of the app to true. */
function off(field: string, help: string, example: string, line: Term): OptionSyntax {
  const from = (document: Json): Json | undefined =>
    valueAt(document, ['apps', 'tls', field]) === true ? 'off' : undefined;
  return option({ line, from, help, example });
}

/** Returns the URL of the `http` permission module, or `null` for other permission modules. */
function askedUrl(permission: Json): readonly string[] | null {
  const { module, endpoint, ...others } = isObject(permission) ? permission : {};
  return module === 'http' && Object.keys(others).length === 0 ? words(endpoint) : null;
}

const repeated = "on-demand TLS permission module (or 'ask') already specified";
const permission = module('tls.permission', 'module', { help: 'Permission module.', repeated });
const dns = { option: 'dns', namespace: 'dns.providers', key: 'name' };

export const appOptions = {
  on_demand_tls: option({
    line: none,
    block: {
      ask: word('<url>', {
        field: 'permission',
        takes: 'more',
        once: repeated,
        convert: (_reader, endpoint) => ({ endpoint, module: 'http' }),
        words: askedUrl,
        help: 'URL to query with `?domain=<name>` for permission to obtain a certificate. Status code 200 allows the certificate.',
      }),
      permission: {
        ...permission,
        write: (name, fields, writer) =>
          askedUrl(fields['permission'] ?? null) === null ? permission.write(name, fields, writer) : [],
      },
    },
    unknown: (name) =>
      name === 'interval' || name === 'burst'
        ? `the on_demand_tls '${name}' option is no longer supported, remove it from your config`
        : `unrecognized parameter '${name}'`,
    finish(fields, reader) {
      if (fields['permission'] !== undefined) return fields;
      throw reader.error('expected at least one config parameter for on_demand_tls');
    },
    from(document) {
      const found = valueAt(document, ['apps', 'tls', 'automation', 'on_demand', 'permission']);
      return isObject(found) ? { permission: found } : undefined;
    },
    help: 'Restricts on-demand certificates. A URL or a module decides whether a certificate may be obtained for a name.',
    example: 'on_demand_tls {\n\task http://localhost:5555/allowed\n}',
  }),
  ocsp_interval: interval('ocsp_interval', 'ocsp_interval 2h'),
  renew_interval: interval('renew_interval', 'renew_interval 30m'),
  storage_clean_interval: option({
    line: word('<duration>|off', {
      takes: 'last',
      convert: (_reader, value) => (value === 'off' ? value : nanoseconds(value)),
      words: durationWord,
    }),
    from: (document) =>
      valueAt(document, ['apps', 'tls', 'disable_storage_clean']) === true
        ? 'off'
        : valueAt(document, ['apps', 'tls', 'automation', 'storage_clean_interval']),
    help: 'Interval at which expired items are removed from storage.',
    example: 'storage_clean_interval 7d',
  }),
  ocsp_stapling: off(
    'disable_ocsp_stapling',
    'Disables OCSP stapling.',
    'ocsp_stapling off',
    oneOf(['off'], { otherwise: (value) => `invalid argument '${value}'` }),
  ),
  storage_check: off(
    'disable_storage_check',
    'Storage check, which tests that storage is writable before certificates are requested. `off` disables the check.',
    'storage_check off',
    oneOf(['off'], { takes: 'last', otherwise: () => "storage_check must be 'off'" }),
  ),
  tls_resolvers: option({
    at: 'apps.tls.resolvers',
    line: list('<address>…'),
    help: 'DNS servers to use for DNS challenges.',
    example: 'tls_resolvers 1.1.1.1',
  }),
  dns: option({
    at: 'apps.tls.dns',
    line: module('dns.providers', 'name', { shown: '<provider> …' }),
    help: 'Default DNS provider.',
    example: 'dns cloudflare {env.CLOUDFLARE_TOKEN}\nacme_dns',
  }),
  ech: option({
    at: 'apps.tls.encrypted_client_hello',
    line: {
      shown: '<public_name>…',
      read: (reader, draft) =>
        draft.put(
          ['configs'],
          reader.arguments().map((name) => ({ public_name: name })),
        ),
      write: (name, { configs }) => [
        { words: [name, ...listAt(configs, []).flatMap((each) => words(valueAt(each, ['public_name'])))] },
      ],
    },
    block: {
      dns: {
        shown: '<provider> …',
        help: 'DNS provider for publishing Encrypted Client Hello keys.',
        module: 'dns.providers',
        read(reader, draft) {
          const provider = readProvider(reader, reader.argument());
          draft.push(['publication'], [{ publishers: { dns: { provider } } }]);
        },
        async write(_name, { publication }, writer) {
          const lines: Line[] = [];
          for (const each of listAt(publication, []))
            lines.push(...(await moduleLines(dns, valueAt(each, ['publishers', 'dns', 'provider']), writer)));
          return lines;
        },
      },
    },
    unknown: "ech: unrecognized subdirective '%'",
    help: 'Accepted but ignored: Encrypted Client Hello is not supported.',
    example: 'ech public.example.com',
  }),
};
