/** The handlers of this package in a Caddyfile. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  block,
  dictionary,
  duration,
  flag,
  integer,
  keyedLines,
  list,
  module,
  moduleLines,
  none,
  objectsIn,
  oneOf,
  quoteWord,
  scalarValue,
  scalarWord,
  syntax,
  text,
  word,
  words,
  type Block,
  type Grammar,
  type Line,
  type Syntax,
  type Term,
} from '@sluice/caddyfile';
import { readHandlers, readLayer4Routes, routesBlock, writeHandlers, writeLayer4Routes } from '@sluice/layer4-app';
import { readClientAuthentication } from '@sluice/tls-app';

const within = ['', 'layer4', ':443', 'route'];
const inRoute = (example: string, grammar: Grammar = {}): Grammar => ({ ...grammar, within, example });
const bare = (name: string): Syntax => syntax(inRoute(name, { line: none, block: {} }));

/** A rate, which may have a fraction. */
const rate: Term = word('<bytes>', {
  convert(reader, value, option) {
    const number = Number(value);
    if (value === '' || Number.isNaN(number)) throw reader.error(`invalid ${option} '${value}'`);
    return number;
  },
});

const clientKeys = ['client_certificate_automate', 'client_certificate_file', 'client_certificate_key_file'];

const clientAuth: Term = {
  shown: '<file> <file>|<name>',
  field: 'tls',
  help: 'Client certificate: a certificate and a key file, or the name of a managed certificate.',
  read(reader, draft) {
    const found = reader.remaining();
    if (found.length === 0 || found.length > 2) throw reader.argumentError();
    const keys = found.length === 1 ? clientKeys.slice(0, 1) : clientKeys.slice(1);
    keys.forEach((key, at) => draft.put(['tls', key], found[at] as string));
  },
  write(option, { tls }) {
    const found = isObject(tls) ? clientKeys.flatMap((key) => words(tls[key])) : [];
    return found.length === 0 ? [] : [{ words: [option, ...found] }];
  },
};

const upstreamBlock: Block = {
  dial: list('<address>…', { adds: true }),
  local_addr: list('<address>…', { field: 'local_address', adds: true }),
  resolver_preference: oneOf(['ipv4_only', 'ipv6_only', 'ipv4_first', 'ipv6_first']),
  max_connections: integer(),
  weight: integer(),
  tls: {
    shown: '',
    help: 'Connects with TLS.',
    read(reader, draft) {
      reader.noArguments();
      draft.touch(['tls']);
    },
    write: (option, { tls }) => (isObject(tls) && Object.keys(tls).length === 0 ? [{ words: [option] }] : []),
  },
  tls_client_auth: clientAuth,
  tls_curves: list('<curve>…', { field: 'tls.curves', adds: true }),
  tls_except_ports: list('<port>…', { field: 'tls.except_ports', adds: true }),
  tls_insecure_skip_verify: flag({ field: 'tls.insecure_skip_verify' }),
  tls_renegotiation: oneOf(['never', 'once', 'freely'], { field: 'tls.renegotiation' }),
  tls_server_name: text('<name>', { field: 'tls.server_name' }),
  tls_timeout: duration({ field: 'tls.handshake_timeout' }),
  tls_trust_pool: module('tls.ca_pool.source', 'provider', { field: 'tls.ca', shown: '<pool> …' }),
};

/** `upstream [ADDRESS…] { … }` */
const upstream: Term = {
  ...block(upstreamBlock, { field: 'upstreams', line: list('[<address>…]', { field: 'dial', empty: true }) }),
  read(reader, draft, option) {
    const inner = block(upstreamBlock, { line: list('', { field: 'dial', empty: true }) });
    inner.read(reader, draft, option);
    const fields = draft.get([option]) as JsonObject;
    Reflect.deleteProperty(draft.fields, option);
    if (!isArray(fields['dial']) || fields['dial'].length === 0) throw reader.error('an upstream needs an address');
    draft.push(['upstreams'], [fields]);
  },
  async write(option, { upstreams }, writer) {
    const lines: Line[] = [];
    for (const each of objectsIn(upstreams)) {
      const { dial, ...rest } = each;
      const inner = (await block(upstreamBlock).write(option, { [option]: rest }, writer)) ?? [];
      const [line = { words: [option] }] = inner;
      lines.push({ ...line, words: [option, ...words(dial)] });
    }
    return lines;
  },
};

const active = 'health_checks.active';
const passive = 'health_checks.passive';
const balancing = 'load_balancing';

const proxy = syntax(
  inRoute('proxy 10.0.0.1:22 10.0.0.2:22 {\n\tlb_policy round_robin\n\thealth_interval 10s\n}', {
    line: {
      shown: '[<upstream>…]',
      field: 'upstreams',
      read: (reader, draft) =>
        draft.push(
          ['upstreams'],
          reader.remaining().map((address) => ({ dial: [address] })),
        ),
      write: () => [],
    },
    block: {
      health_interval: duration({ field: `${active}.interval` }),
      health_port: integer('<port>', { field: `${active}.port` }),
      health_timeout: duration({ field: `${active}.timeout` }),
      health_fall: integer('<count>', { field: `${active}.fall` }),
      health_rise: integer('<count>', { field: `${active}.rise` }),
      close_if_unhealthy: flag({ field: `${active}.close_if_unhealthy` }),
      fail_duration: duration({ field: `${passive}.fail_duration` }),
      max_fails: integer('<count>', { field: `${passive}.max_fails` }),
      unhealthy_connection_count: integer('<count>', { field: `${passive}.unhealthy_connection_count` }),
      lb_policy: module('layer4.proxy.selection_policies', 'policy', { field: `${balancing}.selection` }),
      lb_try_duration: duration({ field: `${balancing}.try_duration` }),
      lb_try_interval: duration({ field: `${balancing}.try_interval` }),
      proxy_protocol: oneOf(['v1', 'v2']),
      upstream,
    },
    unknown: "unrecognized option '%'",
  }),
);

const proxyProtocol = syntax(
  inRoute('proxy_protocol {\n\tallow 10.0.0.0/8\n\ttimeout 2s\n}\nproxy 10.0.0.1:22', {
    line: none,
    block: {
      allow: list('<range>…', { adds: true }),
      deny: list('<range>…', { adds: true }),
      fallback_policy: word('ignore|use|reject|require|skip', {
        convert: (_reader, value) => value.toUpperCase(),
      }),
      timeout: duration(),
    },
    unknown: "unrecognized option '%'",
  }),
);

const socks5 = syntax(
  inRoute('socks5 {\n\tcredentials ada secret\n}', {
    line: none,
    block: {
      bind_ip: text('<address>'),
      commands: list('<command>…', { adds: true }),
      credentials: {
        shown: '<user> <password> [<user> <password>]…',
        read(reader, draft) {
          const found = reader.remaining();
          if (found.length === 0 || found.length % 2 !== 0) throw reader.argumentError();
          const all = (draft.get(['credentials']) ?? dictionary()) as Record<string, Json>;
          for (let at = 0; at < found.length; at += 2) all[found[at] as string] = found[at + 1] as string;
          draft.put(['credentials'], all);
        },
        write: (option, { credentials }) => keyedLines(credentials).map((line) => ({ words: [option, ...line.words] })),
      },
    },
    unknown: "unrecognized option '%'",
  }),
);

const subroute = syntax(
  inRoute('subroute {\n\t@tls tls\n\troute @tls {\n\t\tproxy 10.0.0.1:443\n\t}\n}', { block: routesBlock }),
  {
    read(reader): Json {
      const fields: Record<string, Json> = {};
      reader.noArguments();
      readLayer4Routes(reader, fields);
      return fields;
    },
    async write(options, writer) {
      const lines = isObject(options) ? await writeLayer4Routes(options, writer) : null;
      return lines === null ? null : [{ block: lines }];
    },
  },
);

const tee = syntax(inRoute('tee {\n\tproxy 10.0.0.2:514\n}\nproxy 10.0.0.1:514', { content: 'layer4.handlers' }), {
  read(reader): Json {
    reader.noArguments();
    const branch = readHandlers(reader);
    if (branch.length === 0) throw reader.error('a branch needs a handler');
    return { branch };
  },
  async write(options, writer) {
    const lines = isObject(options) ? await writeHandlers(options['branch'], writer) : null;
    return lines === null ? null : [{ block: lines }];
  },
});

const throttle = syntax(
  inRoute('throttle {\n\tread_bytes_per_second 100000\n\tlatency 50ms\n}\nproxy 10.0.0.1:22', {
    line: none,
    block: {
      latency: duration(),
      read_burst_size: integer('<bytes>'),
      read_bytes_per_second: rate,
      total_read_burst_size: integer('<bytes>'),
      total_read_bytes_per_second: rate,
    },
    unknown: "unrecognized option '%'",
  }),
);

/** `match { … }` of a policy: handshake matchers. */
const policyMatch: Term = {
  shown: '',
  field: 'match',
  content: 'tls.handshake_match',
  read(reader, draft) {
    const found: Record<string, Json> = {};
    for (const name of reader.block()) found[name] = reader.module(`tls.handshake_match.${name}`);
    draft.put(['match'], found);
  },
  async write(option, { match }, writer) {
    const lines: Line[] = [];
    for (const [name, options] of Object.entries(isObject(match) ? match : {})) {
      const each = await writer.module(`tls.handshake_match.${name}`, options);
      if (each === null) return null;
      lines.push(...each);
    }
    return lines.length === 0 ? [] : [{ words: [option], block: lines }];
  },
};

const policyBlock: Block = {
  alpn: list('<protocol>…', { adds: true }),
  cert_selection: block(
    {
      all_tags: list('<tag>…', { adds: true }),
      any_tag: list('<tag>…', { adds: true }),
      public_key_algorithm: text('dsa|ecdsa|rsa'),
      serial_number: list('<number>…', { adds: true }),
      subject_organization: list('<name>…', { adds: true }),
    },
    { field: 'certificate_selection' },
  ),
  ciphers: list('<cipher suite>…', { field: 'cipher_suites', adds: true }),
  client_auth: {
    shown: '',
    field: 'client_authentication',
    read: (reader, draft) => draft.put(['client_authentication'], readClientAuthentication(reader)),
    async write(option, { client_authentication: found }, writer) {
      if (!isObject(found)) return [];
      const { mode, ca, verifiers, trusted_leaf_certs: leaves } = found;
      const pool = { option: 'trust_pool', namespace: 'tls.ca_pool.source', key: 'provider' };
      const verifier = { option: 'verifier', namespace: 'tls.client_auth.verifier', key: 'verifier' };
      const lines: Line[] = [
        ...(mode === undefined ? [] : [{ words: ['mode', ...words(mode)] }]),
        ...(await moduleLines(pool, ca, writer)),
        ...(await moduleLines(verifier, verifiers, writer)),
        ...words(leaves).map((leaf) => ({ words: ['trusted_leaf_cert', leaf] })),
      ];
      return [{ words: [option], block: lines }];
    },
  },
  curves: list('<curve>…', { adds: true }),
  default_sni: text('<name>'),
  drop: flag(),
  fallback_sni: text('<name>'),
  insecure_secrets_log: text('<file>'),
  match: policyMatch,
  protocols: {
    shown: '<min> [<max>]',
    field: 'protocol_min',
    read(reader, draft) {
      const [min = '', max, ...more] = reader.remaining();
      if (min === '' || more.length > 0) throw reader.argumentError();
      draft.put(['protocol_min'], min);
      if (max !== undefined) draft.put(['protocol_max'], max);
    },
    write(option, { protocol_min: min, protocol_max: max }) {
      return min === undefined ? [] : [{ words: [option, ...words(min), ...words(max)] }];
    },
  },
};

const policy = block(policyBlock, { keep: true, unknown: "unrecognized option '%'" });

const tls = syntax(
  inRoute('tls {\n\tconnection_policy {\n\t\talpn h2 http/1.1\n\t}\n}\nproxy 10.0.0.1:80', {
    line: none,
    block: {
      connection_policy: {
        ...policy,
        field: 'connection_policies',
        read(reader, draft, option) {
          policy.read(reader, draft, option);
          const fields = draft.get([option]) as JsonObject;
          Reflect.deleteProperty(draft.fields, option);
          draft.push(['connection_policies'], [fields]);
        },
        async write(option, { connection_policies: policies }, writer) {
          const lines: Line[] = [];
          for (const each of objectsIn(policies)) {
            const found = await policy.write(option, { [option]: each }, writer);
            if (found === null) return null;
            lines.push(...found);
          }
          return lines;
        },
      },
    },
    unknown: "unrecognized option '%'",
  }),
);

const vars = syntax(
  inRoute('vars backend {l4.tls.server_name}\nproxy {l4.vars.backend}:443', {
    shown: ['[<name> <value>]'],
    help: 'Sets variables of the connection; further ones stand in a block.',
  }),
  {
    read(reader): Json {
      const found = dictionary();
      const add = (name: string): void => {
        reader.argument();
        found[name] = scalarValue(reader.token);
        reader.noArguments();
      };
      if (reader.nextArgument()) add(reader.value);
      for (const name of reader.block()) add(name);
      return found;
    },
    write(options) {
      const lines = Object.entries(isObject(options) ? options : {}).map(([name, value]): Line => ({
        words: [quoteWord(name), scalarWord(value)],
        raw: true,
      }));
      const [only] = lines;
      return [only !== undefined && lines.length === 1 ? only : { block: lines }];
    },
  },
);

export const syntaxes = {
  close: bare('close'),
  echo: bare('echo'),
  postgres_tls: bare('postgres_tls'),
  proxy,
  proxy_protocol: proxyProtocol,
  socks5,
  subroute,
  tee,
  throttle,
  tls,
  vars,
};
