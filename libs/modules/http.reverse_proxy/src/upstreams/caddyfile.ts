/** Caddyfile syntax of the dynamic upstream sources. */
import { isObject, type Json } from '@sluice/base';
import {
  alias,
  duration,
  fields,
  list,
  modules,
  none,
  syntax,
  term,
  text,
  type Term,
  type TermOptions,
} from '@sluice/caddyfile';

const within = [':8080', 'reverse_proxy', 'dynamic %'];
const time = (options: TermOptions = {}): Term => duration({ takes: 'more', ...options });
const resolvers = list('<address>…', {
  field: 'resolver.addresses',
  missing: 'must specify at least one resolver address',
});

const versions = term({
  shown: 'ipv4|ipv6…',
  read(reader) {
    const found: Record<string, Json> = {};
    const given = reader.remaining();
    if (given.length === 0) throw reader.error('must specify at least one version');
    for (const word of given) {
      if (word !== 'ipv4' && word !== 'ipv6') throw reader.error(`unsupported version: '${word}'`);
      found[word] = true;
    }
    return found;
  },
  words: (value) => (isObject(value) ? Object.keys(value) : null),
});

const own = (name: string, option: string, shown: string): Term =>
  text(shown, { takes: 'more', repeated: `${name} ${option} has already been specified` });

const times = { refresh: time(), dial_timeout: time(), dial_fallback_delay: time() };

export const sources = {
  a: syntax({
    line: fields('[<name> [<port>]]', ['name', 'port']),
    block: {
      name: alias(own('a', 'name', '<name>')),
      port: alias(own('a', 'port', '<port>')),
      ...times,
      resolvers,
      versions,
    },
    unknown: "unrecognized a option '%'",
    within,
    example: 'a app.internal 8080 {\n\trefresh 10s\n}',
  }),
  srv: syntax({
    line: fields('[<name>]', ['name']),
    block: {
      name: alias(own('srv', 'name', '<name>')),
      service: own('srv', 'service', '<name>'),
      proto: own('srv', 'proto', 'tcp|udp'),
      ...times,
      grace_period: time(),
      resolvers,
    },
    unknown: "unrecognized srv option '%'",
    within,
    example: 'srv _app._tcp.internal {\n\trefresh 10s\n}',
  }),
  multi: syntax({
    line: none,
    others: { ...modules('http.reverse_proxy.upstreams', 'source', 'sources'), shown: '<source> …' },
    within,
    example: 'multi {\n\ta app.internal 8080\n\tsrv _app._tcp.internal\n}',
  }),
};
