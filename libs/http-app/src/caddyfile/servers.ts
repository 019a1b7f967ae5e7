/** The global option `servers [LISTENER] { … }`, which sets server options. */
import type { JsonObject } from '@sluice/base';
import {
  blockLines,
  Draft,
  duration,
  flag,
  group,
  integer,
  list,
  module,
  moduleBlock,
  note,
  option,
  readBlock,
  serversOf,
  size,
  term,
  word,
  words,
  type Block,
  type GlobalOptions,
  type Line,
  type ServersBlock,
  type Term,
  type WriteGlobalOption,
} from '@sluice/caddyfile';
import { errorPages, metricsOptions } from './server-terms.ts';

class ServersDraft extends Draft {
  readonly address: string;
  readonly options: GlobalOptions;
  name = '';

  constructor(address: string, options: GlobalOptions) {
    super({}, true);
    this.address = address;
    this.options = options;
  }
}

const timeout = (field: string, option: string): Term => duration({ field, takes: 'more', what: `${option} timeout` });

const protocols = ['h1', 'h2', 'h2c', 'h3'];

const protocolList: Term = {
  ...list('<name>…'),
  read(reader, draft, option) {
    const found = [...words(draft.get([option]))];
    for (const word of reader.remaining()) {
      if (!protocols.includes(word)) throw reader.error(`unknown protocol '${word}': expected h1, h2, h2c, or h3`);
      if (found.includes(word)) throw reader.error(`protocol ${word} specified more than once`);
      found.push(word);
    }
    if (reader.nextInBlock(reader.nesting)) throw reader.error(`unrecognized protocols option '${reader.value}'`);
    draft.put([option], found);
  },
};

const clientIpHeaders: Term = {
  ...list('<field>…'),
  read(reader, draft, option) {
    const found = reader.remaining();
    const known = words(draft.get([option]));
    for (const word of found)
      if (known.includes(word)) throw reader.error(`client IP header ${word} specified more than once`);
    draft.put([option], [...known, ...found]);
  },
};

/** Server options in the order in which they are written. */
const settings: Block = {
  listener_wrappers: moduleBlock('caddy.listeners', 'wrapper'),
  packet_conn_wrappers: moduleBlock('caddy.packetconns', 'wrapper'),
  timeouts: group(
    {
      read_body: timeout('read_timeout', 'read_body'),
      read_header: timeout('read_header_timeout', 'read_header'),
      write: timeout('write_timeout', 'write'),
      idle: timeout('idle_timeout', 'idle'),
    },
    { help: 'Timeouts for client connections.', unknown: "unrecognized timeouts option '%'" },
  ),
  keepalive_interval: duration(),
  keepalive_idle: duration(),
  keepalive_count: integer('<count>', { what: 'keepalive count' }),
  max_header_size: size({ field: 'max_header_bytes' }),
  enable_full_duplex: flag(),
  protocols: protocolList,
  strict_sni_host: term({
    shown: '[on|insecure_off]',
    read(reader) {
      const value = reader.optionalArgument() ?? 'on';
      if (value === 'on' || value === 'insecure_off') return value === 'on';
      throw reader.error(`strict_sni_host only supports 'on' or 'insecure_off', got '${value}'`);
    },
    words: (value) => (value === false ? ['insecure_off'] : []),
  }),
  client_ip_headers: clientIpHeaders,
  trusted_proxies_strict: flag({ value: 1 }),
  trusted_proxies_unix: flag(),
  '0rtt': word('on|off', {
    field: 'allow_0rtt',
    convert(reader, value) {
      if (value === 'on' || value === 'off') return value === 'on';
      throw reader.error(`unsupported 0rtt argument '${value}' (only 'on' and 'off' are supported)`);
    },
    words: (value) => [value === true ? 'on' : 'off'],
    help: 'Accepts early data (0-RTT) over HTTP/3. Default: off, unlike Caddy.',
  }),
  error_pages: errorPages,
  trusted_proxies: module('http.ip_sources', 'source', { shown: '<source> …' }),
  log_credentials: flag({ field: 'logs.should_log_credentials' }),
  trace: flag({ field: 'logs.trace' }),
};

const block: Block = {
  name: {
    ...note('<name>', 'Server name, used in metrics and in the JSON configuration.'),
    read(reader, draft) {
      const { address } = draft as ServersDraft;
      if (address === '') throw reader.error('cannot set a name for a server without a listener address');
      (draft as ServersDraft).name = reader.onlyArgument();
    },
  },
  ...settings,
  metrics: {
    ...note('', 'Deprecated: use the `metrics` global option.'),
    read(reader, draft) {
      reader.modules.warn(
        reader.token,
        "The nested 'metrics' option inside `servers` is deprecated and will be removed in the next major version. Use the global 'metrics' option instead.",
      );
      const { options } = draft as ServersDraft;
      const { observe_catchall_hosts: _global, ...own } = metricsOptions;
      const found = new Draft({ ...options.get<JsonObject>('metrics') });
      readBlock(reader, found, { block: own, unknown: "unrecognized metrics option '%'" });
      options.set('metrics', found.fields);
    },
  },
};

/** Writes a single `servers` block if all servers have the same settings. Otherwise, writes one block for each server that has settings. */
const writeServers: WriteGlobalOption = async (document, writer) => {
  const all = await Promise.all(
    serversOf(document).map(async ([name, server], at) => {
      const named = name === `srv${at}` ? [] : [{ words: ['name', name] }];
      return {
        listener: words(server['listen']).slice(0, 1),
        named,
        lines: (await blockLines({ block: settings }, server, writer)) ?? [],
      };
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

export const servers = option(
  {
    at: 'apps.http.servers',
    adds: true,
    shown: ['[<listener>]'],
    block,
    help: 'Settings for all servers, or for the server with the given listen address.',
    example: 'servers :443 {\n\ttimeouts {\n\t\tread_body 10s\n\t}\n\ttrusted_proxies static private_ranges\n}',
  },
  {
    read(reader, _earlier, options): ServersBlock {
      const draft = new ServersDraft(reader.optionalArgument() ?? '', options);
      readBlock(reader, draft, { block, unknown: "unrecognized servers option '%'" });
      const { address, name, fields } = draft;
      return { address, name, fields };
    },
    write: writeServers,
  },
);
