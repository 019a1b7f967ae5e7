/** Options of the `reverse_proxy` directive. `php_fastcgi` and `forward_auth` have the same options. */
import { isObject, type Json } from '@sluice/base';
import {
  block,
  duration,
  durationWord,
  entries,
  expandRanges,
  flag,
  integer,
  list,
  matcherSets,
  module,
  moduleLines,
  objectAt,
  readDuration,
  readInteger,
  responseOptions,
  scalarValue,
  size,
  text,
  word,
  words,
  type Block,
  type Dispenser,
  type Draft,
  type Term,
  type TermOptions,
  type WordOptions,
} from '@sluice/caddyfile';
import { operationLines } from '../../headers/header-operations.ts';
import type { ProxyDraft } from './proxy-draft.ts';
import { ownTransport, upstreamWords } from './written.ts';

const more = { takes: 'more', touches: true } as const;
const time = (options: TermOptions = {}): Term => duration({ ...more, ...options });
const count = (options: TermOptions = {}): Term => integer('<count>', { ...more, ...options });
const string = (shown: string, options: WordOptions): Term => text(shown, { ...more, ...options });
const active = (name: string): { field: string } => ({ field: `health_checks.active.${name}` });
const passive = (name: string): { field: string } => ({ field: `health_checks.passive.${name}` });

const timeOrNumber = (shown = '<duration>'): Term =>
  word(shown, {
    takes: 'more',
    convert: (reader, value, option) =>
      /^[+-]?\d+$/.test(value) ? Number(value) : readDuration(reader, value, option),
    words: durationWord,
  });

/** Parses a status, or a status class such as `5xx`. */
const status = (reader: Dispenser, value: string, option: string): number =>
  readInteger(reader, /^\dxx$/.test(value) ? value.charAt(0) : value, option);

const once = '% is already specified';

const fraction = (reader: Dispenser, value: string, option: string): number => {
  const read = scalarValue({ text: value, quote: '' });
  if (typeof read === 'number') return read;
  throw reader.error(`bad ${option} value '${value}': it is not a number`);
};

const buffers = (option: string): Term => size({ takes: 'more', named: { unlimited: -1 }, what: `${option} value` });

const conflict = "the 'health_port' subdirective is ignored if 'health_upstream' is used!";
const activePort = ['health_checks', 'active', 'port'];
const activeUpstream = ['health_checks', 'active', 'upstream'];

function proxyOf(draft: Draft): ProxyDraft {
  return draft as ProxyDraft;
}

function headerOption(side: 'up' | 'down', field: 'request' | 'response', help: string): Term {
  return {
    shown: '<field> [<value> [<replacement>]]',
    help,
    read(reader, draft) {
      const [name, value = '', replacement, ...rest] = reader.remaining();
      if (name === undefined || rest.length > 0) throw reader.argumentError();
      proxyOf(draft)[side].apply(name, value, replacement, reader);
    },
    write: (option, { headers }) =>
      operationLines(objectAt(headers, [field])).map((line) => ({ ...line, words: [option, ...line.words] })),
  };
}

const transport = module('http.reverse_proxy.transport', 'protocol', { shown: '<name> …' });
const port = integer('<port>', { ...more, ...active('port') });
const upstream = string('<address>', active('upstream'));

/** Options by name, in the order of the generated Caddyfile. */
export const proxyOptions: Block = {
  to: {
    shown: '<upstream>…',
    help: 'Additional upstreams.',
    read(reader, draft) {
      for (const address of reader.arguments()) proxyOf(draft).addUpstream(address, reader);
    },
    write: () => [],
  },
  dynamic: module('http.reverse_proxy.upstreams', 'source', { field: 'dynamic_upstreams' }),
  lb_policy: module('http.reverse_proxy.selection_policies', 'policy', {
    field: 'load_balancing.selection_policy',
    shown: '<name> …',
    repeated: 'load balancing selection policy already specified',
  }),
  lb_max_requests: count({ field: 'load_balancing.max_requests' }),
  lb_queue: count({ field: 'load_balancing.queue' }),
  lb_queue_timeout: time({ field: 'load_balancing.queue_timeout' }),
  lb_retries: count({ field: 'load_balancing.retries' }),
  lb_try_duration: time({ field: 'load_balancing.try_duration' }),
  lb_try_interval: time({ field: 'load_balancing.try_interval' }),
  lb_retry_match: matcherSets({ field: 'load_balancing.retry_match' }),
  lb_slow_start: time({ field: 'load_balancing.slow_start' }),
  health_uri: string('<uri>', {
    ...active('uri'),
    help: 'Path and query for active health checks. Setting this option enables active health checks.',
  }),
  health_path: string('<path>', {
    ...active('path'),
    help: 'Path for active health checks. Deprecated: use `health_uri`.',
    deprecated: "the 'health_path' subdirective is deprecated, please use 'health_uri' instead!",
  }),
  health_upstream: {
    ...upstream,
    read(reader, draft, option) {
      if (draft.get(activePort) !== undefined) throw reader.error(conflict);
      upstream.read(reader, draft, option);
      const { value } = reader;
      if (!/^(?:\[[^[\]]*\]|[^:[\]]*):[^:]*$/.test(value))
        throw reader.error(
          `health_upstream is malformed '${value}': it must be an address with a port, such as 10.0.0.1:8080`,
        );
    },
  },
  health_port: {
    ...port,
    read(reader, draft, option) {
      port.read(reader, draft, option);
      if (draft.get(activeUpstream) !== undefined) throw reader.error(conflict);
    },
  },
  health_interval: time(active('interval')),
  health_timeout: time(active('timeout')),
  health_passes: count(active('passes')),
  health_fails: count(active('fails')),
  health_status: word('<status>', {
    ...more,
    ...active('expect_status'),
    help: 'Expected status code, or a status code class such as `2xx`.',
    convert: status,
  }),
  health_body: string('<regexp>', active('expect_body')),
  health_method: string('<method>', active('method')),
  health_request_body: string('<text>', active('body')),
  health_follow_redirects: flag(active('follow_redirects')),
  health_headers: entries('', {
    ...active('headers'),
    touches: true,
    value(reader, known) {
      const values = reader.remaining();
      return [...((known ?? []) as readonly Json[]), ...(values.length === 0 ? [''] : values)];
    },
    lines: (found) =>
      Object.entries(objectAt(found, [])).map(([field, values]) => ({ words: [field, ...words(values)] })),
  }),
  max_fails: count(passive('max_fails')),
  fail_duration: time({
    ...passive('fail_duration'),
    help: 'Time for which a failed request counts against an upstream. Setting this option enables passive health checks.',
  }),
  unhealthy_request_count: count(passive('unhealthy_request_count')),
  unhealthy_status: list('<status>…', { ...passive('unhealthy_status'), adds: true, each: status }),
  unhealthy_latency: time(passive('unhealthy_latency')),
  outlier_detection: block(
    {
      consecutive_errors: integer('<count>', { once }),
      interval: duration({ once }),
      base_ejection_time: duration({ once }),
      max_ejection_time: duration({ once }),
      max_ejection_percent: integer('<percent>', { once }),
      stdev_factor: word('<number>', { once, convert: fraction }),
      min_requests: integer('<count>', { once }),
      min_upstreams: integer('<count>', { once }),
    },
    {
      field: 'health_checks.outlier_detection',
      once: 'outlier_detection is already specified',
      unknown: "unrecognized outlier_detection subdirective '%'",
    },
  ),
  flush_interval: timeOrNumber('<duration>|-1'),
  sse_keepalive: duration(),
  request_buffers: buffers('request_buffers'),
  response_buffers: buffers('response_buffers'),
  stream_timeout: timeOrNumber(),
  stream_close_delay: timeOrNumber(),
  stream_buffer_size: size({ takes: 'more' }),
  trusted_proxies: list('<range>…', {
    adds: true,
    help: 'IP ranges of proxies whose `X-Forwarded-*` fields are trusted. `private_ranges` includes all private ranges.',
    empty: true,
    all: (_reader, found) => expandRanges(found),
  }),
  verbose_logs: flag({ takes: 'lax', once: 'verbose_logs already specified' }),
  header_up: headerOption('up', 'request', 'Changes request header fields: `+` adds, `-` deletes.'),
  header_down: headerOption('down', 'response', 'Changes response header fields.'),
  method: text('<method>', { field: 'rewrite.method', help: 'Changes the request method.', touches: true }),
  rewrite: text('<uri>', {
    field: 'rewrite.uri',
    help: 'Rewrites the path and query of the upstream request.',
    touches: true,
  }),
  transport: {
    ...transport,
    read(reader, draft) {
      const name = reader.argument();
      const options = reader.module(`http.reverse_proxy.transport.${name}`);
      proxyOf(draft).transport = { name, options: isObject(options) ? options : {} };
    },
    write: (option, handler, writer) =>
      moduleLines(
        { option, namespace: 'http.reverse_proxy.transport', key: 'protocol' },
        ownTransport(handler),
        writer,
      ),
  },
  ...responseOptions,
};

export const upstreams = (shown: string): Term => ({
  shown,
  field: '',
  read(reader, draft) {
    for (const address of reader.remaining()) proxyOf(draft).addUpstream(address, reader);
  },
  write(option, handler) {
    const found = upstreamWords(handler);
    return found.length === 0 ? [] : [{ words: [option, ...found] }];
  },
});
