/** Options in the block of `reverse_proxy`. */
import {
  dictionary,
  expandRanges,
  readDuration,
  readInteger,
  readMatchers,
  readSize,
  type DirectiveReader,
  asJson,
  moduleObject,
} from '@sluice/caddyfile';
import { isObject, type Json } from '@sluice/base';
import type { ProxyDraft } from './proxy-draft.ts';

type Read = (draft: ProxyDraft, reader: DirectiveReader, option: string) => void;
type Group = 'fields' | 'loadBalancing' | 'active' | 'passive';

const duration =
  (group: Group, field: string): Read =>
  (draft, reader, option) => {
    draft[group][field] = readDuration(reader, reader.argument(), option);
  };
const integer =
  (group: Group, field: string): Read =>
  (draft, reader, option) => {
    draft[group][field] = readInteger(reader, reader.argument(), option);
  };
const text =
  (group: Group, field: string): Read =>
  (draft, reader) => {
    draft[group][field] = reader.argument();
  };
const buffers: Read = (draft, reader, option) => {
  const value = reader.argument();
  draft.fields[option] = value === 'unlimited' ? -1 : readSize(reader, value, `${option} value`);
};

const readers: Readonly<Record<string, Read>> = {
  to: (draft, reader) => {
    for (const address of reader.arguments()) draft.addUpstream(address, reader);
  },
  dynamic: (draft, reader) => {
    const name = reader.argument();
    draft.fields['dynamic_upstreams'] = moduleObject(
      'source',
      name,
      reader.module(`http.reverse_proxy.upstreams.${name}`),
    );
  },
  lb_policy: (draft, reader) => {
    const name = reader.argument();
    if (draft.loadBalancing['selection_policy'] !== undefined)
      throw reader.error('load balancing selection policy already specified');
    const options = reader.module(`http.reverse_proxy.selection_policies.${name}`);
    draft.loadBalancing['selection_policy'] = moduleObject('policy', name, options);
  },
  lb_retries: integer('loadBalancing', 'retries'),
  lb_try_duration: duration('loadBalancing', 'try_duration'),
  lb_try_interval: duration('loadBalancing', 'try_interval'),
  lb_retry_match: (draft, reader) => void draft.retryMatch.push(asJson(readMatchers(reader, ''))),
  health_uri: text('active', 'uri'),
  health_path: (draft, reader) => {
    reader.modules.warn(reader.token, "the 'health_path' subdirective is deprecated, please use 'health_uri' instead!");
    draft.active['path'] = reader.argument();
  },
  health_upstream: (draft, reader) => {
    if (draft.active['port'] !== undefined)
      throw reader.error("the 'health_port' subdirective is ignored if 'health_upstream' is used!");
    const upstream = reader.argument();
    if (!/^(?:\[[^[\]]*\]|[^:[\]]*):[^:]*$/.test(upstream))
      throw reader.error(`health_upstream is malformed '${upstream}': it has no port, or is not an address with one`);
    draft.active['upstream'] = upstream;
  },
  health_port: (draft, reader, option) => {
    const port = readInteger(reader, reader.argument(), option);
    if (draft.active['upstream'] !== undefined)
      throw reader.error("the 'health_port' subdirective is ignored if 'health_upstream' is used!");
    draft.active['port'] = port;
  },
  health_headers: (draft, reader) => {
    const fields = dictionary<string[]>();
    for (const field of reader.block()) {
      const values = reader.remaining();
      (fields[field] ??= []).push(...(values.length === 0 ? [''] : values));
    }
    draft.active['headers'] = asJson(fields);
  },
  health_interval: duration('active', 'interval'),
  health_timeout: duration('active', 'timeout'),
  health_passes: integer('active', 'passes'),
  health_fails: integer('active', 'fails'),
  health_status: (draft, reader, option) => {
    const value = reader.argument();
    const status = /^\dxx$/.test(value) ? value.charAt(0) : value;
    draft.active['expect_status'] = readInteger(reader, status, option);
  },
  health_body: text('active', 'expect_body'),
  health_method: text('active', 'method'),
  health_request_body: text('active', 'body'),
  health_follow_redirects: (draft, reader) => {
    reader.noArguments();
    draft.active['follow_redirects'] = true;
  },
  max_fails: integer('passive', 'max_fails'),
  fail_duration: duration('passive', 'fail_duration'),
  unhealthy_request_count: integer('passive', 'unhealthy_request_count'),
  unhealthy_status: (draft, reader, option) => {
    const words = reader.arguments();
    const known = (draft.passive[option] ?? []) as readonly Json[];
    const statuses = words.map((word) => readInteger(reader, /^\dxx$/.test(word) ? word.charAt(0) : word, option));
    draft.passive[option] = [...known, ...statuses];
  },
  unhealthy_latency: duration('passive', 'unhealthy_latency'),
  flush_interval: (draft, reader, option) => {
    const value = reader.argument();
    draft.fields['flush_interval'] = /^[+-]?\d+$/.test(value) ? Number(value) : readDuration(reader, value, option);
  },
  request_buffers: buffers,
  response_buffers: buffers,
  stream_timeout: streamTime,
  stream_close_delay: streamTime,
  stream_buffer_size: (draft, reader, option) =>
    void (draft.fields[option] = readSize(reader, reader.argument(), option)),
  trusted_proxies: (draft, reader) => {
    const known = (draft.fields['trusted_proxies'] ?? []) as readonly Json[];
    draft.fields['trusted_proxies'] = [...known, ...expandRanges(reader.remaining())];
  },
  header_up: headerOption('up'),
  header_down: headerOption('down'),
  method: (draft, reader) => {
    draft.rewrite['method'] = reader.onlyArgument();
  },
  rewrite: (draft, reader) => {
    draft.rewrite['uri'] = reader.onlyArgument();
  },
  transport: (draft, reader) => {
    const name = reader.argument();
    const options = reader.module(`http.reverse_proxy.transport.${name}`);
    draft.transport = { name, options: isObject(options) ? options : {} };
  },
  verbose_logs: (draft, reader, option) => {
    if (draft.fields[option] !== undefined) throw reader.error('verbose_logs already specified');
    draft.fields[option] = true;
  },
};

function streamTime(draft: ProxyDraft, reader: DirectiveReader, option: string): void {
  const value = reader.argument();
  draft.fields[option] = /^[+-]?\d+$/.test(value) ? Number(value) : readDuration(reader, value, option);
}

function headerOption(side: 'up' | 'down'): Read {
  return (draft, reader) => {
    const [field, value = '', replacement, ...more] = reader.remaining();
    if (field === undefined || more.length > 0) throw reader.argumentError();
    draft[side].apply(field, value, replacement, reader);
  };
}

/** Reads an option; false if there is none of that name. */
export function readProxyOption(option: string, draft: ProxyDraft, reader: DirectiveReader): boolean {
  if (draft.handlers.read(option, reader)) return true;
  const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
  read?.(draft, reader, option);
  return read !== undefined;
}
