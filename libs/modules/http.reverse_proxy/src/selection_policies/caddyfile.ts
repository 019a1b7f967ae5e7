/** Caddyfile syntax of the upstream selection policies. */
import {
  durationWord,
  fields,
  list,
  module,
  named,
  readDuration,
  syntax,
  text,
  word,
  type Dispenser,
} from '@sluice/caddyfile';

const within = [':8080', 'reverse_proxy 10.0.0.1:80 10.0.0.2:80', 'lb_policy %'];
const unknown = "unrecognized option '%'";
const fallback = module('http.reverse_proxy.selection_policies', 'policy', {
  shown: '<policy> …',
  repeated: 'fallback selection policy already specified',
});

function wholeNumber(reader: Dispenser, text: string, what: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw reader.error(`invalid ${what} value '${text}': strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

export const policies = {
  cookie: syntax({
    line: fields('[<name> [<secret>]]', ['name', 'secret']),
    block: {
      max_age: word('<duration>', {
        takes: 'more',
        repeated: 'cookie max_age already specified',
        convert(reader, value, option) {
          const age = readDuration(reader, value, option);
          if (age > 0) return age;
          throw reader.error(`invalid duration value for max_age, must be greater than 0: ${value}`);
        },
        words: durationWord,
      }),
      fallback,
    },
    unknown,
    within,
    example: 'cookie lb {\n\tfallback least_conn\n}',
  }),
  header: syntax({
    line: text('<field>', { field: 'field', keep: true }),
    block: { fallback },
    unknown,
    within,
    example: 'header X-Tenant',
  }),
  query: syntax({
    line: text('<key>', { field: 'key', keep: true }),
    block: { fallback },
    unknown,
    within,
    example: 'query session',
  }),
  random_choose: syntax({
    line: word('<count>', {
      field: 'choose',
      takes: 'more',
      keep: true,
      convert: (reader, value) => wholeNumber(reader, value, 'choice'),
    }),
    within,
    example: 'random_choose 2',
  }),
  weighted_round_robin: syntax({
    line: list('<weight>…', {
      field: 'weights',
      each(reader, value) {
        const weight = wholeNumber(reader, value, 'weight');
        if (weight < 0) throw reader.error(`invalid weight value '${value}': weight should be non-negative`);
        return weight;
      },
    }),
    within,
    example: 'weighted_round_robin 3 1',
  }),
  client_ip_hash: named({ within }),
  first: named({ within }),
  ip_hash: named({ within }),
  least_conn: named({ within }),
  random: named({ within }),
  round_robin: named({ within }),
  uri_hash: named({ within }),
};
