/** Caddyfile syntax: `proxy [UPSTREAM…] { … }` */
import { isArray, isObject, type JsonObject } from '@sluice/base';
import {
  block,
  duration,
  flag,
  integer,
  list,
  module,
  objectsIn,
  oneOf,
  syntax,
  text,
  words,
  type Block,
  type Line,
  type Term,
} from '@sluice/caddyfile';
import { inRoute } from './in-route.ts';

const clientKeys = ['client_certificate_automate', 'client_certificate_file', 'client_certificate_key_file'];

const clientAuth: Term = {
  shown: '<file> <file>|<name>',
  field: 'tls',
  help: 'Client certificate to present: a certificate file and a key file, or the name of a managed certificate.',
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

/** Caddyfile syntax: `upstream [ADDRESS…] { … }` */
const upstream: Term = {
  ...block(upstreamBlock, { field: 'upstreams', line: list('[<address>…]', { field: 'dial', empty: true }) }),
  read(reader, draft, option) {
    const inner = block(upstreamBlock, { line: list('', { field: 'dial', empty: true }) });
    inner.read(reader, draft, option);
    const fields = draft.get([option]) as JsonObject;
    Reflect.deleteProperty(draft.fields, option);
    if (!isArray(fields['dial']) || fields['dial'].length === 0) throw reader.error('an upstream requires an address');
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

export const proxy = syntax(
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
