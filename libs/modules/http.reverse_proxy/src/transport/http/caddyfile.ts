/** `http { … }`: how HTTP is spoken with upstreams. */
import { compact, moduleObject, readDuration, readInteger, readSize, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/registry';
import { readTlsOption } from './tls-syntax.ts';

/** What is collected. `tls` is there once an option about TLS was read. */
interface Draft {
  readonly fields: Record<string, Json>;
  readonly keepAlive: Record<string, Json>;
  tls: Record<string, Json> | null;
}

type Read = (draft: Draft, reader: Dispenser) => void;

const duration =
  (field: string, what = 'timeout'): Read =>
  (draft, reader) => {
    draft.fields[field] = readDuration(reader, reader.argument(), what);
  };

const size =
  (field: string, what: string): Read =>
  (draft, reader) => {
    draft.fields[field] = readSize(reader, reader.argument(), what);
  };

const keepAliveCount =
  (field: string): Read =>
  (draft, reader) => {
    draft.keepAlive[field] = readInteger(reader, reader.argument(), 'integer');
  };

const readers: Readonly<Record<string, Read>> = {
  read_buffer: size('read_buffer_size', 'read buffer size'),
  write_buffer: size('write_buffer_size', 'write buffer size'),
  max_response_header: size('max_response_header_size', 'max response header size'),
  read_timeout: duration('read_timeout'),
  write_timeout: duration('write_timeout'),
  dial_timeout: duration('dial_timeout'),
  dial_fallback_delay: duration('dial_fallback_delay', 'fallback delay'),
  response_header_timeout: duration('response_header_timeout'),
  expect_continue_timeout: duration('expect_continue_timeout'),
  resolvers: (draft, reader) => {
    const addresses = reader.remaining();
    if (addresses.length === 0) throw reader.error('must specify at least one resolver address');
    draft.fields['resolver'] = { addresses };
  },
  proxy_protocol: (draft, reader) => {
    const version = reader.argument();
    if (version !== 'v1' && version !== 'v2') throw reader.error(`invalid proxy protocol version: '${version}'`);
    draft.fields['proxy_protocol'] = version;
  },
  forward_proxy_url: (draft, reader) => {
    reader.modules.warn(
      reader.token,
      "The 'forward_proxy_url' field is deprecated. Use 'network_proxy <url>' instead.",
    );
    draft.fields['network_proxy'] = { from: 'url', url: reader.argument() };
  },
  network_proxy: (draft, reader) => {
    const name = reader.argument();
    draft.fields['network_proxy'] = moduleObject('from', name, reader.module(`caddy.network_proxy.${name}`));
  },
  versions: (draft, reader) => {
    draft.fields['versions'] = reader.arguments();
  },
  compression: (draft, reader) => {
    const value = reader.optionalArgument() ?? '';
    if (value === 'off') draft.fields['compression'] = false;
  },
  max_conns_per_host: (draft, reader) => {
    draft.fields['max_conns_per_host'] = readInteger(reader, reader.argument(), 'integer');
  },
  local_address: (draft, reader) => {
    draft.fields['local_address'] = reader.argument();
  },
  keepalive: (draft, reader) => {
    const value = reader.argument();
    if (value === 'off') draft.keepAlive['enabled'] = false;
    else draft.keepAlive['idle_timeout'] = readDuration(reader, value, 'duration');
  },
  keepalive_interval: (draft, reader) => {
    draft.keepAlive['probe_interval'] = readDuration(reader, reader.argument(), 'interval');
  },
  keepalive_idle_conns: keepAliveCount('max_idle_conns'),
  keepalive_idle_conns_per_host: keepAliveCount('max_idle_conns_per_host'),
};

/** Reads the options. */
export function readHttpTransport(reader: Dispenser): Json {
  const draft: Draft = { fields: {}, keepAlive: {}, tls: null };
  reader.remaining();
  for (const option of reader.block()) {
    if (option === 'tls' || option.startsWith('tls_')) {
      draft.tls ??= {};
      if (readTlsOption(option, draft.tls, reader)) continue;
    }
    const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
    if (read === undefined) throw reader.error(`unrecognized subdirective ${option}`);
    read(draft, reader);
  }
  const { compression, ...rest } = draft.fields;
  const fields = compact({ ...rest, keep_alive: keepAlive(draft.keepAlive) });
  return {
    ...fields,
    ...(compression === undefined ? {} : { compression }),
    ...(draft.tls === null ? {} : { tls: compact(draft.tls) }),
  };
}

/** `enabled` is only there to say no. */
function keepAlive({ enabled, ...rest }: Record<string, Json>): Json {
  return { ...compact(rest), ...(enabled === undefined ? {} : { enabled }) };
}
