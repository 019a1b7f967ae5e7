/** Caddyfile syntax of the layer 4 matchers in this package. */
import { isArray, isObject, type Json } from '@sluice/base';
import {
  asJson,
  fields,
  list,
  none,
  readInteger,
  readMatchers,
  syntax,
  text,
  word,
  words,
  type Syntax,
} from '@sluice/caddyfile';
import { readMatcherSet, writeMatcherSet } from '@sluice/layer4-app';
import { dns } from './dns.ts';
import { handshake } from './handshake.ts';
import { inlineOrBlock, matcher } from './matcher.ts';

/** Declares a matcher without options. */
const bare = (name: string): Syntax => syntax(matcher(name, { line: none, block: {} }));

const ranges = (name: string): Syntax => {
  const term = list('<range>…', { field: 'ranges' });
  return syntax(matcher(`${name} 10.0.0.0/8`, { line: term }));
};

const clock = syntax(
  matcher('clock 08:00:00 20:00:00 Europe/Vienna', {
    shown: [
      '<after> <before> [<timezone>]',
      'after|from <time> [<timezone>]',
      'before|till|to|until <time> [<timezone>]',
    ],
  }),
  {
    read(reader): Json {
      const [first = '', second, zone, ...more] = reader.remaining();
      if (second === undefined || more.length > 0) throw reader.argumentError();
      const timezone = zone === undefined ? {} : { timezone: zone };
      if (['before', 'till', 'to', 'until'].includes(first)) return { after: '00:00:00', before: second, ...timezone };
      if (['after', 'from'].includes(first)) return { after: second, before: '00:00:00', ...timezone };
      return { after: first, before: second, ...timezone };
    },
    write: (options) =>
      isObject(options)
        ? [
            {
              words: [options['after'] ?? '00:00:00', options['before'] ?? '00:00:00', options['timezone']].flatMap(
                words,
              ),
            },
          ]
        : null,
  },
);

const http = syntax(
  matcher('http host example.com', {
    shown: ['[<matcher> …]'],
    content: 'matchers',
    help: 'Matches HTTP connections whose first request matches all matchers in the block.',
  }),
  {
    read: (reader): Json => [asJson(readMatchers(reader, ''))],
    async write(options, writer) {
      const [set, ...more] = isArray(options) ? options : [];
      if (more.length > 0) return null;
      if (set === undefined) return [{}];
      const lines = isObject(set) ? await writer.matchers(set) : null;
      return lines === null ? null : [inlineOrBlock(lines)];
    },
  },
);

const not = syntax(
  matcher('not remote_ip 10.0.0.0/8', {
    shown: ['<matcher> …'],
    content: 'layer4.matchers',
    help: 'Matches connections unless they match all matchers in the block.',
  }),
  {
    read: (reader): Json => [readMatcherSet(reader)],
    async write(options, writer) {
      const [set, ...more] = isArray(options) ? options : [];
      const lines = more.length === 0 && isObject(set) ? await writeMatcherSet(set, writer) : null;
      return lines === null ? null : [inlineOrBlock(lines)];
    },
  },
);

const postgres = syntax(
  matcher('postgres {\n\tuser alice planets\n\ttls disabled\n}', {
    line: none,
    block: {
      user: {
        shown: '<name> [<database>…]',
        read(reader, draft) {
          const name = reader.argument();
          const known = draft.get(['user']);
          const databases = reader.remaining();
          const before = isObject(known) && isArray(known[name]) ? known[name] : [];
          const all = [...before, ...databases];
          draft.put(['user'], { ...(isObject(known) ? known : {}), [name]: all.length === 0 ? null : all });
        },
        write: (option, { user }) =>
          Object.entries(isObject(user) ? user : {}).map(([name, databases]) => ({
            words: [option, name, ...words(databases)],
          })),
      },
      client: list('<name>…', { adds: true }),
      // The default value of `tls` is `*`.
      tls: word('enabled|disabled|*', { convert: (_reader, value) => (value === '*' ? undefined : value) }),
    },
  }),
);

const regexp = syntax(matcher('regexp ^\\x16\\x03 2', { shown: ['<pattern> [<count>] [hex]'] }), {
  read(reader): Json {
    const found: Record<string, Json> = { pattern: reader.argument() };
    for (const word of reader.remaining()) {
      if (word === 'hex' && found['hex'] === undefined) found['hex'] = true;
      else if (found['count'] === undefined) found['count'] = readInteger(reader, word, 'count');
      else throw reader.argumentError();
    }
    return found;
  },
  write: (options) =>
    isObject(options)
      ? [
          {
            words: [
              ...words(options['pattern']),
              ...words(options['count']),
              ...(options['hex'] === true ? ['hex'] : []),
            ],
          },
        ]
      : null,
});

const vars = syntax(matcher('vars {l4.tls.server_name} example.com', { shown: ['<variable> <value>…'] }), {
  read(reader): Json {
    const name = reader.argument();
    return { [name]: reader.arguments(1) };
  },
  write(options) {
    const entries = Object.entries(isObject(options) ? options : {});
    return entries.length === 1 ? entries.map(([name, values]) => ({ words: [name, ...words(values)] })) : null;
  },
});

const varsRegexp = syntax(
  matcher('vars_regexp host {l4.tls.server_name} ^([a-z]+)\\.example\\.com$', {
    shown: ['[<name>] <variable> <regexp>'],
  }),
  {
    read(reader): Json {
      const found = reader.remaining();
      if (found.length < 2 || found.length > 3) throw reader.argumentError();
      const [name, variable = '', pattern = ''] = found.length === 3 ? found : [undefined, ...found];
      return { [variable]: name === undefined ? { pattern } : { name, pattern } };
    },
    write(options) {
      const entries = Object.entries(isObject(options) ? options : {});
      if (entries.length !== 1) return null;
      return entries.map(([variable, each]) => ({
        words: isObject(each) ? [...words(each['name']), variable, ...words(each['pattern'])] : [variable],
      }));
    },
  },
);

const numbers = (option: string): ReturnType<typeof list> =>
  list(`<${option}>…`, { adds: true, each: (reader, word) => readInteger(reader, word, option) });

export const syntaxes = {
  clock,
  dns,
  http,
  local_ip: ranges('local_ip'),
  not,
  postgres,
  proxy_protocol: bare('proxy_protocol'),
  quic: handshake('quic'),
  regexp,
  remote_ip: ranges('remote_ip'),
  remote_ip_list: syntax(
    matcher('remote_ip_list /etc/sluice/partners.txt', { line: text('<file>', { field: 'remote_ip_file' }) }),
  ),
  socks4: syntax(
    matcher('socks4 {\n\tcommands CONNECT\n\tports 443\n}', {
      line: none,
      block: {
        commands: list('<command>…', { adds: true }),
        networks: list('<range>…', { adds: true }),
        ports: numbers('ports'),
      },
    }),
  ),
  socks5: syntax(
    matcher('socks5 {\n\tauth_methods 0 2\n}', { line: none, block: { auth_methods: numbers('auth_methods') } }),
  ),
  ssh: bare('ssh'),
  tls: handshake('tls'),
  vars,
  vars_regexp: varsRegexp,
  wireguard: syntax(matcher('wireguard', { line: fields('[<zero>]', ['zero'], { integers: ['zero'] }) })),
  xmpp: bare('xmpp'),
};
