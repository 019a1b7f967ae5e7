/** The global option `servers [LISTENER] { … }`: settings of servers. */
import {
  asJson,
  moduleObject,
  readDuration,
  readInteger,
  readSize,
  type Dispenser,
  type GlobalOption,
  type GlobalOptions,
  type ServersBlock,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';
import { readErrorPages, readMetrics } from './global-options.ts';

interface Draft {
  readonly address: string;
  name: string;
  readonly fields: Record<string, Json>;
  readonly logs: Record<string, Json>;
}

type Read = (draft: Draft, reader: Dispenser, options: GlobalOptions) => void;

const flag =
  (field: string): Read =>
  (draft, reader) => {
    reader.noArguments();
    draft.fields[field] = true;
  };

const duration =
  (field: string): Read =>
  (draft, reader) => {
    draft.fields[field] = readDuration(reader, reader.onlyArgument(), field);
  };

const timeouts: Readonly<Record<string, string>> = {
  read_body: 'read_timeout',
  read_header: 'read_header_timeout',
  write: 'write_timeout',
  idle: 'idle_timeout',
};

const protocols = ['h1', 'h2', 'h2c', 'h3'];

const readers: Readonly<Record<string, Read>> = {
  name: (draft, reader) => {
    if (draft.address === '') throw reader.error('cannot set a name for a server without a listener address');
    draft.name = reader.onlyArgument();
  },
  listener_wrappers: wrappers('listener_wrappers', 'caddy.listeners'),
  packet_conn_wrappers: wrappers('packet_conn_wrappers', 'caddy.packetconns'),
  timeouts: (draft, reader) => {
    for (const option of reader.block()) {
      const field = timeouts[option];
      if (field === undefined) throw reader.error(`unrecognized timeouts option '${option}'`);
      draft.fields[field] = readDuration(reader, reader.argument(), `${option} timeout`);
    }
  },
  keepalive_interval: duration('keepalive_interval'),
  keepalive_idle: duration('keepalive_idle'),
  keepalive_count: (draft, reader) => {
    draft.fields['keepalive_count'] = readInteger(reader, reader.onlyArgument(), 'keepalive count');
  },
  max_header_size: (draft, reader) => {
    draft.fields['max_header_bytes'] = readSize(reader, reader.onlyArgument(), 'max_header_size');
  },
  enable_full_duplex: flag('enable_full_duplex'),
  log_credentials: (draft, reader) => {
    reader.noArguments();
    draft.logs['should_log_credentials'] = true;
  },
  trace: (draft, reader) => {
    reader.noArguments();
    draft.logs['trace'] = true;
  },
  // Several lines add up.
  protocols: (draft, reader) => {
    const words = [...((draft.fields['protocols'] ?? []) as readonly string[])];
    for (const word of reader.remaining()) {
      if (!protocols.includes(word)) throw reader.error(`unknown protocol '${word}': expected h1, h2, h2c, or h3`);
      if (words.includes(word)) throw reader.error(`protocol ${word} specified more than once`);
      words.push(word);
    }
    if (reader.nextInBlock(reader.nesting)) {
      throw reader.error(`unrecognized protocols option '${reader.value}'`);
    }
    draft.fields['protocols'] = words;
  },
  strict_sni_host: (draft, reader) => {
    const value = reader.optionalArgument() ?? 'on';
    if (value !== 'on' && value !== 'insecure_off') {
      throw reader.error(`strict_sni_host only supports 'on' or 'insecure_off', got '${value}'`);
    }
    draft.fields['strict_sni_host'] = value === 'on';
  },
  trusted_proxies: (draft, reader) => {
    const name = reader.argument();
    draft.fields['trusted_proxies'] = moduleObject('source', name, reader.module(`http.ip_sources.${name}`));
  },
  trusted_proxies_strict: (draft, reader) => {
    reader.noArguments();
    draft.fields['trusted_proxies_strict'] = 1;
  },
  trusted_proxies_unix: flag('trusted_proxies_unix'),
  client_ip_headers: (draft, reader) => {
    const words = reader.remaining();
    const known = (draft.fields['client_ip_headers'] ?? []) as readonly string[];
    for (const word of words) {
      if (known.includes(word)) throw reader.error(`client IP header ${word} specified more than once`);
    }
    draft.fields['client_ip_headers'] = [...known, ...words];
  },
  error_pages: (draft, reader) => {
    draft.fields['error_pages'] = readErrorPages(reader);
  },
  metrics: (draft, reader, options) => {
    reader.modules.warn(
      reader.token,
      "The nested 'metrics' option inside `servers` is deprecated and will be removed in the next major version. Use the global 'metrics' option instead.",
    );
    const known = options.get<JsonObject>('metrics') ?? {};
    options.set('metrics', { ...known, ...readMetrics(reader, ['per_host', 'otlp']) });
    void draft;
  },
  '0rtt': (draft, reader) => {
    const value = reader.onlyArgument();
    if (value !== 'off') throw reader.error(`unsupported 0rtt argument '${value}' (only 'off' is supported)`);
    draft.fields['allow_0rtt'] = false;
  },
};

function wrappers(field: string, namespace: string): Read {
  return (draft, reader) => {
    const known = (draft.fields[field] ?? []) as readonly Json[];
    const added: Json[] = [];
    for (const name of reader.block()) added.push(moduleObject('wrapper', name, reader.module(`${namespace}.${name}`)));
    draft.fields[field] = [...known, ...added];
  };
}

const order = [
  'listener_wrappers',
  'packet_conn_wrappers',
  'read_timeout',
  'read_header_timeout',
  'write_timeout',
  'idle_timeout',
  'keepalive_interval',
  'keepalive_idle',
  'keepalive_count',
  'max_header_bytes',
  'enable_full_duplex',
  'strict_sni_host',
  'trusted_proxies',
  'client_ip_headers',
  'trusted_proxies_strict',
  'trusted_proxies_unix',
  'logs',
  'protocols',
  'allow_0rtt',
  'error_pages',
];

/** Reads a block; blocks add up. */
export const servers: GlobalOption = (reader, earlier, options): ServersBlock[] => {
  const address = reader.optionalArgument() ?? '';
  const draft: Draft = { address, name: '', fields: {}, logs: {} };
  for (const option of reader.block()) {
    const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
    if (read === undefined) throw reader.error(`unrecognized servers option '${option}'`);
    read(draft, reader, options);
  }
  if (Object.keys(draft.logs).length > 0) draft.fields['logs'] = draft.logs;
  const fields = Object.fromEntries(
    order.flatMap((key) => (draft.fields[key] === undefined ? [] : [[key, draft.fields[key]]])),
  );
  const settings: ServersBlock = { address, name: draft.name, fields: asJson(fields) as JsonObject };
  return [...((earlier ?? []) as readonly ServersBlock[]), settings];
};
