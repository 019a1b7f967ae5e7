/** Scenario for `http.handlers.map` and `http.handlers.vars`: placeholder values, within text and within each other. */
import type { Random } from '../../differential/random.ts';
import { echo } from '../echo.ts';
import type { Request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

const sources = [
  '{http.request.uri.path}',
  '{http.request.uri.query.a}',
  '{http.request.header.X-A}',
  '{http.request.method} {http.request.host}',
  '{nope}',
  'fixed',
  '{http.request.uri.path.file}',
];
const inputs = ['/a', 'a', '', 'fixed', 'v', '/x.html', '1'];
const expressions = ['^/(.*)$', '([a-z])(?P<n>[0-9]?)', '(?i)^A', '.', '^$', '(x)|(y)', '\\.html$'];
/** Outputs of the `map` handler. None of them is a placeholder that refers to itself, because Caddy crashes on such placeholders. */
const outputs: readonly unknown[] = [
  'out',
  '$1',
  '${n}',
  '${1}${2}x',
  '$$',
  '{http.request.method}',
  5,
  1.5,
  true,
  null,
  '',
  ['l', 1],
  { k: 'v' },
  '{http.request.uri.path.file}',
  '1$',
  '-${nope}-',
];

function map(random: Random): object {
  const destinations = random.pick([['{first}'], ['{first}', '{m.second}'], ['{m.second}']]);
  const mappings = [
    ...random.some(inputs, 3).map((input) => ({ input })),
    ...random.some(expressions, 3).map((expression) => ({ input_regexp: expression })),
  ].map((each) => ({ ...each, outputs: destinations.map(() => random.pick(outputs)) }));
  const made: Record<string, unknown> = { handler: 'map', source: random.pick(sources), destinations, mappings };
  if (random.chance(0.5))
    made['defaults'] = destinations.map(() => random.pick(['default', '', '{http.request.host}']));
  return made;
}

function vars(random: Random): object {
  const value = random.pick<unknown>([
    'text',
    '{first}',
    '{m.second}!',
    5,
    1e21,
    0.1,
    null,
    true,
    [1, 'a', null],
    { b: 1, a: [2] },
    '{nope}',
    '\\{first}',
    '',
  ]);
  return { handler: 'vars', [random.pick(['v', 'v', 'V', 'v.w', '{http.request.method}'])]: value };
}

export const mapScenario: Scenario = {
  name: 'map',
  routes: (random) =>
    Array.from({ length: 40 }, () => [
      map(random),
      vars(random),
      ...(random.chance(0.3) ? [map(random)] : []),
      echo('first', 'm.second', 'http.vars.V', 'http.vars.v.w', 'http.vars.GET'),
    ]),
  request: (random): Request => ({
    method: random.pick(['GET', 'GET', 'POST']),
    target:
      random.pick(['/', '/a', '/A', '/x.html', '/a/b', '/%61', '/x', '/b7']) +
      random.pick(['', '?a=', '?a=a', '?a=v&a=1', '?a=%20', '?a=a1']),
    host: random.pick(['test.example', 'b.example:1']),
    fields: random.some([['X-A', random.pick(['v', '', 'a9', 'X'])]], 1),
    body: '',
  }),
};
