/** Caddyfile syntax for log field filters. */
import type { Json } from '@sluice/base';
import {
  compact,
  fields,
  integer,
  named,
  note,
  objectsIn,
  syntax,
  text,
  words,
  type Grammar,
  type Syntax,
  type Term,
} from '@sluice/caddyfile';

const unknown = 'unrecognized subdirective %';

function on(field: string, grammar: Grammar): Grammar {
  return { unknown, within: [':8080', 'log', 'output stdout\n\t\tformat filter', `${field} %`], ...grammar };
}

/** Declares a filter with actions for parts of a field. `key` is the JSON option that contains the names of the parts. */
function actions(key: string, what: string, grammar: Grammar): Syntax {
  const action = (shown: string, help: string): Term => ({
    ...note(shown, help),
    read(reader, draft, type) {
      const name = reader.argument();
      draft.push(
        ['actions'],
        [{ type, [key]: name, ...compact({ value: type === 'replace' ? reader.argument() : '' }) }],
      );
    },
  });
  const block = {
    replace: action('<name> <value>', `Replaces the value of a ${what}.`),
    hash: action('<name>', `Replaces the value of a ${what} with the first digits of its hash.`),
    delete: action('<name>', `Deletes a ${what}.`),
  };
  const write: Term['write'] = (_option, filter) =>
    objectsIn(filter['actions']).map(({ type = [], parameter, name = [], value = [] }) => ({
      words: words([type, parameter ?? name, value]),
    }));
  return syntax({ ...grammar, block: { ...block, replace: { ...block.replace, write } }, unset: { actions: null } });
}

const bits = (version: string): Term =>
  integer('<bits>', { field: `${version}_cidr`, takes: 'more', what: `${version} CIDR` });

/** Syntax of `regexp PATTERN VALUE`, with one line for each operation. */
const operation: Term = {
  shown: '<regexp> <replacement>',
  help: 'Regular expression and the replacement for its matches.',
  read(reader, draft) {
    const regexp = reader.argument();
    draft.push(['operations'], [compact({ regexp, value: reader.argument() })]);
  },
  write: (option, options) =>
    objectsIn(options['operations']).map(({ regexp, value = '' as Json }) => ({
      words: [option, ...words(regexp), ...words(value)],
    })),
};

export const syntaxes = {
  cookie: actions(
    'name',
    'cookie',
    on('request>headers>Cookie', { example: 'cookie {\n\thash session\n\tdelete tracking\n}' }),
  ),
  set_cookie: actions('name', 'cookie', on('resp_headers>Set-Cookie', { example: 'set_cookie {\n\thash session\n}' })),
  query: actions(
    'parameter',
    'parameter',
    on('request>uri', { example: 'query {\n\treplace token REDACTED\n\tdelete debug\n}' }),
  ),
  ip_mask: syntax(
    on('request>remote_ip', {
      line: fields('[<ipv4 bits> [<ipv6 bits>]]', ['ipv4_cidr', 'ipv6_cidr'], {
        tooMany: 'too many arguments',
        integers: ['ipv4 CIDR', 'ipv6 CIDR'],
        writes: false,
      }),
      block: { ipv4: bits('ipv4'), ipv6: bits('ipv6') },
      example: 'ip_mask 16 32',
    }),
  ),
  multi_regexp: syntax(
    on('request>uri', {
      block: { regexp: operation },
      finish(found, reader) {
        if (found['operations'] === undefined)
          throw reader.error('multi_regexp filter requires at least one regexp operation');
        return undefined;
      },
      example: 'multi_regexp {\n\tregexp token=[^&]+ token=x\n\tregexp key=[^&]+ key=x\n}',
    }),
  ),
  regexp: syntax(
    on('request>uri', {
      line: fields('<regexp> <replacement>', ['regexp', 'value'], { lax: true }),
      help: 'Replaces all matches of a regular expression in a field. Several `regexp` filters for one field are combined into `multi_regexp`.',
      example: 'regexp token=[^&]+ token=x',
    }),
  ),
  rename: syntax(
    on('request>remote_ip', { line: text('<name>', { field: 'name', takes: 'any' }), example: 'rename client' }),
  ),
  replace: syntax(
    on('request>headers>Authorization', {
      line: text('<value>', { field: 'value', takes: 'any' }),
      example: 'replace hidden',
    }),
  ),
  delete: named(on('request>headers', {})),
  hash: named(on('request>remote_ip', {})),
};
