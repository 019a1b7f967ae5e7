/** The sources of upstreams in a Caddyfile. */
import { isObject, type Json } from '@sluice/base';
import {
  blockLines,
  duration,
  fields,
  list,
  modules,
  none,
  syntax,
  term,
  text,
  words,
  written,
  type Block,
  type Grammar,
  type Syntax,
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

/** A source whose name stands on the first line if there is nothing else that belongs there. */
function source(name: string, block: Block, grammar: Grammar): Syntax {
  return syntax(
    { ...grammar, block, unknown: `unrecognized ${name} option '%'`, within },
    {
      async write(object, writer) {
        if (!isObject(object)) return null;
        const lines = (await blockLines({ block }, object, writer)) ?? [];
        if (object['service'] !== undefined || object['port'] !== undefined) return [{ block: lines }];
        return [
          written(
            words(object['name']),
            lines.filter((line) => line.words[0] !== 'name'),
          ),
        ];
      },
    },
  );
}

const own = (name: string, option: string, shown: string): Term =>
  text(shown, { takes: 'more', repeated: `${name} ${option} has already been specified` });

export const sources = {
  a: source(
    'a',
    {
      name: own('a', 'name', '<name>'),
      port: own('a', 'port', '<port>'),
      refresh: time(),
      dial_timeout: time(),
      dial_fallback_delay: time(),
      resolvers,
      versions,
    },
    {
      line: fields('[<name> [<port>]]', ['name', 'port']),
      example: 'a app.internal 8080 {\n\trefresh 10s\n}',
    },
  ),
  srv: source(
    'srv',
    {
      name: own('srv', 'name', '<name>'),
      service: own('srv', 'service', '<name>'),
      proto: own('srv', 'proto', 'tcp|udp'),
      refresh: time(),
      dial_timeout: time(),
      dial_fallback_delay: time(),
      grace_period: time(),
      resolvers,
    },
    { line: fields('[<name>]', ['name']), example: 'srv _app._tcp.internal {\n\trefresh 10s\n}' },
  ),
  multi: syntax({
    line: none,
    others: { ...modules('http.reverse_proxy.upstreams', 'source', 'sources'), shown: '<source> …' },
    within,
    example: 'multi {\n\ta app.internal 8080\n\tsrv _app._tcp.internal\n}',
  }),
};
