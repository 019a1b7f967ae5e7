/** Caddyfile syntax of the reverse proxy transports. */
import { isObject } from '@sluice/base';
import {
  duration,
  durationWord,
  fields,
  flag,
  ignored,
  integer,
  list,
  module,
  oneOf,
  pair,
  readDuration,
  size,
  syntax,
  text,
  word,
  type Term,
  type TermOptions,
} from '@sluice/caddyfile';

const within = [':8080', 'reverse_proxy 10.0.0.1:80 10.0.0.2:80', 'transport %'];
const unknown = 'unrecognized subdirective %';

const time = (options: TermOptions & { readonly what?: string } = {}): Term =>
  duration({ takes: 'more', what: 'timeout', ...options });
const bytes = (field: string, what: string): Term => size({ field, takes: 'more', what });
const count = (options: TermOptions = {}): Term => integer('<count>', { takes: 'more', what: 'integer', ...options });

/** Caddyfile syntax: `keepalive off`, `keepalive TIME` */
const keepAlive: Term = {
  shown: 'off|<duration>',
  field: 'keep_alive.idle_timeout',
  read(reader, draft) {
    const value = reader.argument();
    if (value === 'off') draft.put(['keep_alive', 'enabled'], false, true);
    else draft.put(['keep_alive', 'idle_timeout'], readDuration(reader, value, 'duration'));
  },
  write(option, { keep_alive: found }) {
    const { enabled, idle_timeout: idle } = isObject(found) ? found : {};
    const off = enabled === false ? [{ words: [option, 'off'] }] : [];
    return idle === undefined ? off : [...off, { words: [option, ...durationWord(idle)] }];
  },
};

/** Writes `tls` to the Caddyfile if no other option implies TLS. */
const tls: Term = {
  shown: '',
  help: 'Uses TLS for connections to the upstreams.',
  read: (_reader, draft) => draft.touch(['tls']),
  write: (option, { tls: found }) => (isObject(found) && Object.keys(found).length === 0 ? [{ words: [option] }] : []),
};

/** Caddyfile syntax: `tls_client_auth NAME`, `tls_client_auth CERTIFICATE KEY` */
const clientKeys = ['client_certificate_automate', 'client_certificate_file', 'client_certificate_key_file'] as const;
const clientAuth: Term = {
  ...fields(
    '<file> <file>|<name>',
    clientKeys.map((key) => `tls.${key}`),
    { help: 'Client certificate to present: a certificate file and a key file, or the name of a managed certificate.' },
  ),
  read(reader, draft) {
    const [first = '', second, ...more] = reader.remaining();
    if (first === '' || more.length > 0) throw reader.argumentError();
    if (second === undefined) draft.put(['tls', clientKeys[0]], first);
    else {
      draft.put(['tls', clientKeys[1]], first);
      draft.put(['tls', clientKeys[2]], second);
    }
  },
};

export const transports = {
  fastcgi: syntax({
    line: ignored,
    block: {
      root: text('<path>', { takes: 'more' }),
      split: list('<suffix>…', { field: 'split_path' }),
      resolve_root_symlink: flag(),
      capture_stderr: flag(),
      dial_timeout: time(),
      read_timeout: time(),
      write_timeout: time(),
      env: pair('<name> <value>'),
    },
    unknown,
    within,
    example: 'fastcgi {\n\troot /srv/app\n\tsplit .php\n}',
  }),
  http: syntax({
    line: ignored,
    block: {
      read_buffer: bytes('read_buffer_size', 'read buffer size'),
      write_buffer: bytes('write_buffer_size', 'write buffer size'),
      max_response_header: bytes('max_response_header_size', 'max response header size'),
      read_timeout: time(),
      write_timeout: time(),
      dial_timeout: time(),
      dial_fallback_delay: time({ what: 'fallback delay' }),
      response_header_timeout: time(),
      expect_continue_timeout: time(),
      proxy_protocol: oneOf(['v1', 'v2'], {
        takes: 'more',
        otherwise: (value) => `invalid proxy protocol version: '${value}'`,
      }),
      versions: list('<version>…'),
      max_conns_per_host: count(),
      local_address: text('<address>', { takes: 'more' }),
      resolvers: list('<address>…', {
        field: 'resolver.addresses',
        missing: 'must specify at least one resolver address',
      }),
      compression: word('off', {
        takes: 'optional',
        keep: true,
        convert: (_reader, value) => (value === 'off' ? false : undefined),
        words: (value) => (value === false ? ['off'] : null),
        help: 'Does not request compressed responses from the upstreams.',
      }),
      network_proxy: module('caddy.network_proxy', 'from'),
      forward_proxy_url: {
        shown: '<url>',
        help: 'Deprecated alias of `network_proxy url`.',
        read(reader, draft) {
          reader.modules.warn(
            reader.token,
            "The 'forward_proxy_url' field is deprecated. Use 'network_proxy <url>' instead.",
          );
          draft.put(['network_proxy'], { from: 'url', url: reader.argument() });
        },
        write: () => [],
      },
      keepalive: keepAlive,
      keepalive_interval: time({ field: 'keep_alive.probe_interval', what: 'interval' }),
      keepalive_idle_conns: count({ field: 'keep_alive.max_idle_conns' }),
      keepalive_idle_conns_per_host: count({ field: 'keep_alive.max_idle_conns_per_host' }),
      tls,
      tls_insecure_skip_verify: flag({ field: 'tls.insecure_skip_verify' }),
      tls_curves: list('<curve>…', { field: 'tls.curves' }),
      tls_timeout: time({ field: 'tls.handshake_timeout', touches: true }),
      tls_trusted_ca_certs: list('<file>…', {
        field: 'tls.root_ca_pem_files',
        deprecated: "The 'tls_trusted_ca_certs' field is deprecated. Use the 'tls_trust_pool' field instead.",
        help: 'Deprecated alias of `tls_trust_pool file`.',
      }),
      tls_server_name: text('<name>', { field: 'tls.server_name', takes: 'more', touches: true }),
      tls_renegotiation: oneOf(['never', 'once', 'freely'], { field: 'tls.renegotiation', takes: 'more' }),
      tls_except_ports: list('<port>…', { field: 'tls.except_ports' }),
      tls_client_auth: clientAuth,
      tls_trust_pool: module('tls.ca_pool.source', 'provider', {
        field: 'tls.ca',
        shown: '<pool> …',
        repeated: 'cannot specify "tls_trust_pool" twice in caddyfile',
      }),
    },
    unknown,
    within,
    example: 'http {\n\tdial_timeout 2s\n\tversions h2c\n}',
  }),
};
