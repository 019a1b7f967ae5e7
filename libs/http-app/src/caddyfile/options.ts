/** The global options of the app `http`, apart from `servers`. */
import { isObject, type Json } from '@sluice/base';
import {
  duration,
  list,
  listAt,
  moduleLines,
  note,
  objectAt,
  option,
  serversOf,
  text,
  valueAt,
  word,
  words,
  type Binding,
  type OptionSyntax,
  type WriteGlobalOption,
  type Written,
} from '@sluice/caddyfile';
import { readBinding } from './bind.ts';
import { defaultBind } from './inverse-bind.ts';
import { errorPages, metricsOptions } from './server-terms.ts';
import { servers } from './servers.ts';

function port(name: string, example: string): OptionSyntax {
  return option({
    at: `apps.http.${name}`,
    line: word('<port>', {
      convert(reader, value) {
        if (/^[+-]?\d+$/.test(value)) return Number(value);
        throw reader.error(
          `converting port '${value}' to integer value: strconv.Atoi: parsing ${JSON.stringify(value)}: invalid syntax`,
        );
      },
    }),
    example,
  });
}

/** Servers have it in those of their connection policies that are for any name. */
const serverName =
  (name: string): WriteGlobalOption =>
  (document) => {
    const policies = serversOf(document).flatMap(([, server]) => listAt(server, ['tls_connection_policies']));
    const found = policies.find((policy) => valueAt(policy, [name]) !== undefined);
    return found === undefined ? null : [{ words: words(valueAt(found, [name])) }];
  };

const modes = ['off', 'disable_redirects', 'disable_certs', 'ignore_loaded_certs'];
/** Options that the modes set, in the order of {@link modes}. */
const modeFields = ['disable', 'disable_redirects', 'disable_certificates', 'ignore_loaded_certificates'];

/** `auto_https MODE…`: all servers have the same. */
const autoHttps: WriteGlobalOption = (document) => {
  const settings = serversOf(document).map(([, server]) => objectAt(server, ['automatic_https']));
  const found = modes.filter((_, at) => settings.some((each) => each[modeFields[at] ?? ''] === true));
  return found.length === 0 ? null : [{ words: found }];
};

export const options = {
  http_port: port('http_port', 'http_port 8080'),
  https_port: port('https_port', 'https_port 8443'),
  grace_period: option({
    at: 'apps.http.grace_period',
    line: duration({ takes: 'more' }),
    example: 'grace_period 10s',
  }),
  shutdown_delay: option({
    at: 'apps.http.shutdown_delay',
    line: duration({ takes: 'more' }),
    example: 'shutdown_delay 15s',
  }),
  error_pages: option({ at: 'apps.http.error_pages', line: errorPages, example: 'error_pages off' }),
  default_sni: option(
    {
      line: text('<name>', { takes: 'last' }),
      help: 'Server name to assume when the client sends no SNI.',
      example: 'default_sni example.com',
    },
    { write: serverName('default_sni') },
  ),
  fallback_sni: option(
    {
      line: text('<name>', { takes: 'last' }),
      help: "Server name whose certificate is used if there is none for the client's SNI.",
      example: 'fallback_sni example.com',
    },
    { write: serverName('fallback_sni') },
  ),
  auto_https: option(
    {
      line: list(modes.join('|'), {
        all(reader, found) {
          if (found.every((each) => modes.includes(each))) return found;
          throw reader.error(
            `auto_https must be one of 'off', 'disable_redirects', 'disable_certs', or 'ignore_loaded_certs'`,
          );
        },
      }),
      help: 'Disables automatic HTTPS, or parts of it.',
      example: 'auto_https disable_redirects',
    },
    { write: autoHttps },
  ),
  default_bind: option(
    {
      shown: ['<address>…'],
      block: { protocols: note('<name>…', 'Protocols to enable.') },
      help: 'Default addresses to listen on for sites without the `bind` directive.',
      example: 'default_bind 127.0.0.1',
    },
    {
      read: (reader, earlier): Binding[] => [...((earlier ?? []) as readonly Binding[]), readBinding(reader)],
      write: defaultBind,
    },
  ),
  metrics: option({
    at: 'apps.http.metrics',
    block: metricsOptions,
    unknown: "unrecognized metrics option '%'",
    example: 'metrics {\n\tper_host\n}',
  }),
  servers,
};

/** `filesystem NAME MODULE { … }` adds up. */
export const filesystem = option(
  {
    shown: ['<name> <module> …'],
    help: 'File system, available by name to the `fs` directive and to matchers. Its modules are separate packages.',
    within: [],
    example: '{\n\tfilesystem assets s3\n}\n\n:8080 {\n\tfs assets\n\tfile_server\n}',
  },
  {
    read(reader, earlier) {
      const name = reader.argument();
      const backend = reader.argument();
      const found = reader.module(`caddy.fs.${backend}`);
      const fileSystem = { ...(isObject(found) ? found : {}), backend };
      return [...((earlier ?? []) as readonly Json[]), { name, file_system: fileSystem }];
    },
    async write(document, writer) {
      const lines: Written[] = [];
      for (const each of listAt(document, ['apps', 'caddy.filesystems', 'filesystems'])) {
        const { name, file_system: system } = objectAt(each, []);
        const place = { option: words(name).join(''), namespace: 'caddy.fs', key: 'backend' };
        lines.push(...(await moduleLines(place, system, writer)));
      }
      return lines;
    },
  },
);
