/** Caddyfile syntax for storage modules. */
import { isObject } from '@sluice/base';
import {
  alias,
  fields,
  integer,
  list,
  syntax,
  text,
  toggle,
  type Block,
  type Grammar,
  type Syntax,
} from '@sluice/caddyfile';

/**
 * Declares the syntax of a storage module that uses a server. `convert` writes the module only if every option has a Caddyfile equivalent.
 * The TLS options of fleet stores have no Caddyfile equivalent.
 */
function onServers(block: Block, example: string, line = fields('', [])): Syntax {
  const grammar: Grammar = { line, block, unknown: "unrecognized parameter '%'", within: ['', 'storage %'], example };
  const made = syntax(grammar);
  return {
    ...made,
    write: (options, writer) =>
      isObject(options) && Object.keys(options).every((name) => Object.hasOwn(block, name))
        ? made.write(options, writer)
        : null,
  };
}

const string = (shown: string): ReturnType<typeof text> => text(shown, { keep: true });

export const syntaxes = {
  file_system: syntax({
    line: text('<folder>', { field: 'root', takes: 'optional' }),
    block: { root: alias(text('<folder>', { once: 'storage root already set' })) },
    unknown: "unrecognized parameter '%'",
    finish(fields, reader) {
      if (fields['root'] === undefined) throw reader.error('missing root path');
      return undefined;
    },
    within: ['', 'storage %'],
    example: 'file_system /var/lib/sluice',
  }),
  etcd: onServers(
    {
      endpoints: list('<endpoint>…'),
      prefix: string('<text>'),
      username: string('<name>'),
      password: string('<text>'),
    },
    'etcd 10.0.0.1:2379 10.0.0.2:2379 {\n\tprefix /caddy\n}',
    list('[<endpoint>…]', { field: 'endpoints', empty: true, writes: false }),
  ),
  postgres: onServers(
    {
      host: string('<host>'),
      port: integer('<port>', { keep: true }),
      user: string('<name>'),
      password: string('<text>'),
      dbname: string('<name>'),
      sslmode: string('disable|require|verify-full'),
    },
    'postgres {\n\thost 10.0.0.1\n\tuser sluice\n\tsslmode verify-full\n}',
  ),
  redis: onServers(
    {
      address: list('<address>…'),
      host: list('<host>…'),
      port: list('<port>…'),
      db: integer('<number>', { keep: true }),
      username: string('<name>'),
      password: string('<text>'),
      master_name: string('<name>'),
      key_prefix: string('<text>'),
      tls_enabled: toggle(),
      tls_insecure: toggle(),
      tls_server_certs_pem: string('<pem>'),
      tls_server_certs_path: string('<file>'),
    },
    'redis {\n\taddress 10.0.0.1:6379\n\tusername sluice\n}',
  ),
  s3: onServers(
    {
      bucket: string('<name>'),
      endpoint: string('<url>'),
      host: string('<host>'),
      region: string('<name>'),
      access_id: string('<id>'),
      access_key: string('<id>'),
      secret_key: string('<text>'),
      prefix: string('<text>'),
      insecure: toggle(),
      use_path_style: toggle(),
    },
    's3 {\n\tbucket certificates\n\tregion eu-central-1\n\tprefix ssl\n}',
  ),
};
