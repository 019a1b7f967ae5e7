/** Global options of the `http` app, except for `servers`. */
import {
  duration,
  list,
  listAt,
  moduleLines,
  objectAt,
  option,
  serversOf,
  text,
  valueAt,
  word,
  words,
  type OptionSyntax,
  type Written,
} from '@sluice/caddyfile';
import { binding, defaultBind, readBinding } from './bind.ts';
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

function serverName(name: string, help: string): OptionSyntax {
  return option({
    line: text('<name>', { takes: 'last' }),
    from: (document) =>
      serversOf(document)
        .flatMap(([, server]) => listAt(server, ['tls_connection_policies']))
        .map((policy) => valueAt(policy, [name]))
        .find((found) => found !== undefined),
    help,
    example: `${name} example.com`,
  });
}

/** Modes of `auto_https`, and the server options that each mode sets. */
const modes = {
  off: 'disable',
  disable_redirects: 'disable_redirects',
  disable_certs: 'disable_certificates',
  ignore_loaded_certs: 'ignore_loaded_certificates',
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
  default_sni: serverName('default_sni', 'Server name to assume when the client sends no SNI.'),
  fallback_sni: serverName(
    'fallback_sni',
    "Server name whose certificate is used if no certificate matches the client's SNI.",
  ),
  auto_https: option({
    line: list(Object.keys(modes).join('|'), {
      all(reader, found) {
        if (found.every((each) => Object.hasOwn(modes, each))) return found;
        throw reader.error(
          `auto_https must be one of 'off', 'disable_redirects', 'disable_certs', or 'ignore_loaded_certs'`,
        );
      },
    }),
    from(document) {
      const settings = serversOf(document).map(([, server]) => objectAt(server, ['automatic_https']));
      const found = Object.entries(modes).filter(([, field]) => settings.some((each) => each[field] === true));
      return found.length === 0 ? undefined : found.map(([mode]) => mode);
    },
    help: 'Disables automatic HTTPS or parts of it.',
    example: 'auto_https disable_redirects',
  }),
  default_bind: option(
    {
      ...binding,
      adds: true,
      help: 'Default listen addresses for sites without a `bind` directive.',
      example: 'default_bind 127.0.0.1',
    },
    { read: (reader) => readBinding(reader), write: defaultBind },
  ),
  metrics: option({
    at: 'apps.http.metrics',
    block: metricsOptions,
    unknown: "unrecognized metrics option '%'",
    example: 'metrics {\n\tper_host\n}',
  }),
  servers,
};

/** The global option `filesystem NAME MODULE { … }`, which may be repeated. */
export const filesystem = option(
  {
    shown: ['<name> <module> …'],
    adds: true,
    help: 'Defines a named file system for the `fs` directive and the `file` matcher. File system modules are separate packages.',
    within: [],
    example: '{\n\tfilesystem assets s3\n}\n\n:8080 {\n\tfs assets\n\tfile_server\n}',
  },
  {
    read(reader) {
      const name = reader.argument();
      const backend = reader.argument();
      return { name, file_system: { ...objectAt(reader.module(`caddy.fs.${backend}`), []), backend } };
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
