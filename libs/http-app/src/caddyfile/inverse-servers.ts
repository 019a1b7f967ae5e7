/** Settings of servers as the global option `servers`. */
import type { JsonObject } from '@sluice/base';
import {
  durationWord,
  moduleLines,
  noWords,
  objectAt,
  optionLines,
  serversOf,
  words,
  type Line,
  type WriteGlobalOption,
  type Writer,
  type WrittenOption,
} from '@sluice/caddyfile';

/** `servers [LISTENER] { … }`: one for all where all have the same, else one for each that has any. */
export const servers: WriteGlobalOption = async (document, writer) => {
  const all = await Promise.all(
    serversOf(document).map(async ([name, server], at) => {
      const named = name === `srv${at}` ? [] : [{ words: ['name', name] }];
      return { listener: words(server['listen']).slice(0, 1), named, lines: await settingLines(server, writer) };
    }),
  );
  const [first] = all;
  if (first === undefined) return null;
  const isCommon = all.every(({ lines, named }) => named.length === 0 && asText(lines) === asText(first.lines));
  if (isCommon) return first.lines.length === 0 ? null : [{ block: first.lines }];
  return all
    .filter(({ lines, named }) => lines.length > 0 || named.length > 0)
    .map(({ listener, named, lines }) => ({ words: listener, block: [...named, ...lines] }));
};

function asText(lines: readonly Line[]): string {
  return JSON.stringify(lines);
}

const timeouts: readonly WrittenOption[] = [
  ['read_body', 'read_timeout', durationWord],
  ['read_header', 'read_header_timeout', durationWord],
  ['write', 'write_timeout', durationWord],
  ['idle', 'idle_timeout', durationWord],
];

const settings: readonly WrittenOption[] = [
  ['keepalive_interval', 'keepalive_interval', durationWord],
  ['keepalive_idle', 'keepalive_idle', durationWord],
  ['keepalive_count', 'keepalive_count'],
  ['max_header_size', 'max_header_bytes'],
  ['enable_full_duplex', 'enable_full_duplex', noWords],
  ['protocols', 'protocols'],
  ['strict_sni_host', 'strict_sni_host', (value) => (value === false ? ['insecure_off'] : [])],
  ['client_ip_headers', 'client_ip_headers'],
  ['trusted_proxies_strict', 'trusted_proxies_strict', noWords],
  ['trusted_proxies_unix', 'trusted_proxies_unix', noWords],
  ['0rtt', 'allow_0rtt', () => ['off']],
  ['error_pages', 'error_pages'],
];

async function settingLines(server: JsonObject, writer: Writer): Promise<readonly Line[]> {
  const times = optionLines(server, timeouts);
  const logs = objectAt(server, ['logs']);
  const proxies = { option: 'trusted_proxies', namespace: 'http.ip_sources', key: 'source' };
  return [
    ...(await wrapperLines('listener_wrappers', 'caddy.listeners', server, writer)),
    ...(await wrapperLines('packet_conn_wrappers', 'caddy.packetconns', server, writer)),
    ...(times.length === 0 ? [] : [{ words: ['timeouts'], block: times }]),
    ...optionLines(server, settings),
    ...(await moduleLines(proxies, server['trusted_proxies'], writer)),
    ...optionLines(logs, [
      ['log_credentials', 'should_log_credentials', noWords],
      ['trace', 'trace', noWords],
    ]),
  ];
}

async function wrapperLines(
  option: string,
  namespace: string,
  server: JsonObject,
  writer: Writer,
): Promise<readonly Line[]> {
  const list = server[option];
  if (list === undefined) return [];
  const lines = await moduleLines({ option, namespace, key: 'wrapper' }, list, writer);
  return [{ words: [option], block: lines.map((line) => ({ ...line, words: line.words.slice(1) })) }];
}
