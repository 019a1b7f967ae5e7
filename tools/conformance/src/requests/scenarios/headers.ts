/** Scenario for `http.handlers.headers`: operations on requests and responses, immediate and deferred. */
import type { Random } from '../../differential/random.ts';
import { echo } from '../echo.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

const names = [
  'X-A',
  'x-a',
  'X-B',
  'X-New',
  'Host',
  'Cookie',
  'X-{http.request.uri.query.a}',
  'Vary',
  'Etag',
  'Content-Type',
  'Server',
  'X Y',
  'Set-Cookie',
];
const values = [
  'v',
  '',
  ' lead',
  'a,b',
  '{http.request.header.X-A}',
  '{http.request.uri.query.a}',
  '{nope}',
  '{http.response.header.X-B}',
  'é',
  '{',
  'a\nb',
  '{http.request.host}',
];
const patterns = ['X-A', 'x-*', '*-b', '*ook*', '*', 'X-*-Z', '', 'Vary', 'Content-Type'];

function fieldsOf(random: Random): Record<string, string[]> {
  const made: Record<string, string[]> = {};
  for (const name of random.some(names, 2))
    made[name] = Array.from({ length: random.integer(0, 2) }, () => random.pick(values));
  return made;
}

function operationsOf(random: Random): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  if (random.chance(0.4)) made['add'] = fieldsOf(random);
  if (random.chance(0.4)) made['set'] = fieldsOf(random);
  if (random.chance(0.3)) made['delete'] = random.some(patterns, 2);
  if (random.chance(0.35))
    made['replace'] = { [random.pick(['X-A', 'X-B', '*', 'x-new', 'Host', 'Vary'])]: [replacement(random)] };
  return made;
}

function replacement(random: Random): object {
  const replace = random.pick(['n', '$1', '${1}x', '{http.request.uri.query.a}', '']);
  return random.chance(0.5)
    ? { search: random.pick(['a', '', 'example', '{http.request.header.X-B}', ',']), replace }
    : { search_regexp: random.pick(['([a-z]+)', '^', '$', 'a|b', '(?i)EX(.)', '.*']), replace };
}

function handler(random: Random): object {
  const made: Record<string, unknown> = { handler: 'headers' };
  if (random.chance(0.6)) made['request'] = operationsOf(random);
  if (random.chance(0.7)) {
    made['response'] = {
      ...operationsOf(random),
      ...(random.chance(0.5) ? { deferred: true } : {}),
      ...(random.chance(0.25) ? { require: requirement(random) } : {}),
    };
  }
  return made;
}

function requirement(random: Random): object {
  return random.pick<object>([
    { status_code: [200] },
    { status_code: [2, 404] },
    { status_code: [4] },
    { headers: { 'Content-Type': ['text/*'] } },
    { headers: { 'X-B': null } },
    { headers: { Vary: [] } },
    { headers: { 'X-B': ['*b'] }, status_code: [2] },
    {},
  ]);
}

/** Returns the final handler. It responds with header fields of its own or, sometimes, with an error. */
function end(random: Random): object {
  if (random.chance(0.12)) return { handler: 'error', status_code: 404, error: 'gone {http.request.header.X-A}' };
  const response = echo('http.response.header.X-B') as { headers: object };
  const own = random.pick<object>([
    {},
    { 'X-B': ['one', 'b'] },
    { Vary: ['Origin'], Etag: ['"e"'] },
    { 'x-new': [], 'X-A': ['end'] },
  ]);
  return { ...response, headers: { ...response.headers, ...own } };
}

export const headersScenario: Scenario = {
  name: 'headers',
  routes: (random) =>
    Array.from({ length: 60 }, () => [
      ...Array.from({ length: random.integer(1, 2) }, () => handler(random)),
      end(random),
    ]),
  request: (random): Request => ({
    method: 'GET',
    target: `/${random.pick(['', '?a=1', '?a=x%20y', '?a=%0d%0a', '?a=%C3%A9'])}`,
    host: random.pick(['test.example', 'test.example:81', 'A.example']),
    fields: random.some(
      [
        ['X-A', 'one'],
        ['X-A', 'two,three'],
        ['X-B', 'abba'],
        ['x-new', ''],
        ['Cookie', 'a=1'],
        ['Cookie', 'b=2'],
      ],
      5,
    ),
    body: '',
  }),
};
