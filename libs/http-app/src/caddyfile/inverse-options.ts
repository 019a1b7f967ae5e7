/** Global options of the app `http`, written again. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  listAt,
  moduleLines,
  objectAt,
  serversOf,
  valueAt,
  words,
  written,
  type WriteGlobalOption,
  type Written,
} from '@sluice/caddyfile';

const field =
  (name: string, write: (value: Json) => readonly string[] = words): WriteGlobalOption =>
  (document) => {
    const value = valueAt(document, ['apps', 'http', name]);
    return value === undefined ? null : [{ words: write(value) }];
  };

/** Servers have it in those of their connection policies that are for any name. */
const serverName =
  (name: string): WriteGlobalOption =>
  (document) => {
    const policies = serversOf(document).flatMap(([, server]) => listAt(server, ['tls_connection_policies']));
    const found = policies.find((policy) => valueAt(policy, [name]) !== undefined);
    return found === undefined ? null : [{ words: words(valueAt(found, [name])) }];
  };

const modes: readonly (readonly [string, string])[] = [
  ['disable', 'off'],
  ['disable_redirects', 'disable_redirects'],
  ['disable_certificates', 'disable_certs'],
  ['ignore_loaded_certificates', 'ignore_loaded_certs'],
];

/** `auto_https MODE…`: all servers have the same. */
const autoHttps: WriteGlobalOption = (document) => {
  const settings = serversOf(document).map(([, server]) => objectAt(server, ['automatic_https']));
  const said = modes.filter(([name]) => settings.some((each) => each[name] === true)).map(([, mode]) => mode);
  return said.length === 0 ? null : [{ words: said }];
};

/** By name of the option. */
export const optionWriters: Readonly<Record<string, WriteGlobalOption>> = {
  http_port: field('http_port'),
  https_port: field('https_port'),
  grace_period: field('grace_period', durationWord),
  shutdown_delay: field('shutdown_delay', durationWord),
  error_pages: field('error_pages'),
  default_sni: serverName('default_sni'),
  fallback_sni: serverName('fallback_sni'),
  auto_https: autoHttps,
};

/** `metrics { … }` */
export const metrics: WriteGlobalOption = (document) => {
  const options = valueAt(document, ['apps', 'http', 'metrics']);
  if (!isObject(options)) return null;
  return [
    written(
      [],
      Object.keys(options).map((name) => ({ words: [name] })),
    ),
  ];
};

/** `filesystem NAME MODULE { … }` */
export const filesystem: WriteGlobalOption = async (document, writer) => {
  const lines: Written[] = [];
  for (const each of listAt(document, ['apps', 'caddy.filesystems', 'filesystems'])) {
    const { name, file_system: system } = isObject(each) ? each : ({} as JsonObject);
    const option = { option: words(name).join(''), namespace: 'caddy.fs', key: 'backend' };
    lines.push(...(await moduleLines(option, system, writer)));
  }
  return lines;
};
