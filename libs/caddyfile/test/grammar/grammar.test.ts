import { expect } from 'chai';
import type { Json } from '@sluice/base';
import {
  defineModule,
  duration as durationOption,
  integer as integerOption,
  options,
  type Registry,
  string,
} from '@sluice/registry';
import {
  adaptCaddyfile,
  alias,
  block,
  convertDocument,
  directives,
  duration,
  fields,
  flag,
  handler,
  list,
  oneOf,
  pair,
  size,
  text,
  type HandlerSyntax,
} from '../../src/index.ts';
import { contributeHandlers } from '../../src/contribute.ts';
import { testRegistry } from '../language.ts';

const tea = handler('tea', {
  line: text('[<kind>]', { field: 'kind', takes: 'optional' }),
  block: {
    kind: alias(text('<kind>', { once: 'the kind is already specified' })),
    steep: duration({ field: 'brewing.time' }),
    cup: size({ named: { unlimited: -1 } }),
    strength: oneOf(['weak', 'strong'], { otherwise: (value) => `no tea is ${value}` }),
    with: list('<ingredient>…', { field: 'ingredients', adds: true }),
    sugar: flag(),
    plain: flag({ field: 'milk', value: false, help: 'Without milk.' }),
    label: pair('<name> <value>', { field: 'labels' }),
    at: fields('<table> [<seat>]', ['place.table', 'place.seat'], { least: 1 }),
    pot: block({ warm: flag() }, { unknown: "no pot has '%'" }),
  },
  unknown: "no tea has '%'",
  example: 'tea green',
});

const module = defineModule(
  { id: 'http.handlers' },
  {
    name: 'tea',
    help: 'Makes tea.',
    config: options({
      kind: string('Kind of tea.', { default: 'black' }),
      cup: integerOption('Size of the cup, in bytes.'),
      brewing: options({ time: durationOption('Brewing time.') }),
    }),
    provision: () => null,
  },
);

function registryOf(syntax: HandlerSyntax): Registry {
  const registry = testRegistry().add(module);
  contributeHandlers(registry, { name: 'tea', order: 'first', load: () => Promise.resolve(syntax) });
  return registry;
}

const registry = registryOf(tea);

async function adapt(lines: string): Promise<Json> {
  const text = `:80 {\n${lines}\n}\n`;
  const { config } = await adaptCaddyfile(text, registry, { file: 'Caddyfile', environment: {} });
  return JSON.parse(JSON.stringify(config)) as Json;
}

async function handlerOf(lines: string): Promise<Json> {
  const { apps } = (await adapt(lines)) as {
    readonly apps: {
      readonly http: { readonly servers: { readonly srv0: { readonly routes: { handle: Json[] }[] } } };
    };
  };
  return apps.http.servers.srv0.routes[0]?.handle[0] ?? null;
}

const errorOf = (lines: string): Promise<string> => adapt(lines).then(String, (error: Error) => error.message);

describe('declared directives', () => {
  it('a declared directive maps arguments and a block to handler options', async () => {
    expect(
      await handlerOf(
        'tea green {\nsteep 3m\ncup 1KiB\nstrength weak\nwith lemon\nwith honey mint\nsugar\nplain\nlabel a b\nat 7 2\npot {\nwarm\n}\n}',
      ),
    ).to.deep.equal({
      brewing: { time: 180_000_000_000 },
      cup: 1024,
      handler: 'tea',
      ingredients: ['lemon', 'honey', 'mint'],
      kind: 'green',
      labels: { a: 'b' },
      milk: false,
      place: { seat: '2', table: '7' },
      pot: { warm: true },
      strength: 'weak',
      sugar: true,
    });
  });

  it('a declared directive omits zero values and objects without values', async () => {
    expect(await handlerOf('tea "" {\nsteep 5s\nsteep 0\n}')).to.deep.equal({ handler: 'tea' });
  });

  for (const [lines, message] of [
    ['tea a b', "wrong argument count or unexpected line ending after 'b', at Caddyfile:2"],
    ['tea {\nmilk\n}', "no tea has 'milk', at Caddyfile:3"],
    ['tea {\npot {\nlid\n}\n}', "no pot has 'lid', at Caddyfile:4"],
    ['tea green {\nkind black\n}', 'the kind is already specified, at Caddyfile:3'],
    ['tea {\nsteep soon\n}', "bad steep value 'soon'"],
    ['tea {\nstrength bitter\n}', 'no tea is bitter, at Caddyfile:3'],
    ['tea {\nsugar twice\n}', "wrong argument count or unexpected line ending after 'twice', at Caddyfile:3"],
    ['tea {\nat\n}', "wrong argument count or unexpected line ending after 'at', at Caddyfile:3"],
  ] as const)
    it(`a declared directive rejects ${lines.replaceAll('\n', '; ')}`, async () => {
      expect(await errorOf(lines)).to.contain(message);
    });

  it('convert() writes a declared directive in its original form', async () => {
    const written =
      ':80 {\n\ttea green {\n\t\tsteep 3m\n\t\tcup unlimited\n\t\tstrength strong\n\t\twith lemon mint\n\t\tsugar\n\t\tplain\n\t\tlabel a b\n\t\tat 7\n\t\tpot {\n\t\t\twarm\n\t\t}\n\t}\n}\n';
    const { config } = await adaptCaddyfile(written, registry, { file: 'Caddyfile', environment: {} });
    const { text: again, verdict } = await convertDocument(config, registry, 'Caddyfile');
    expect(again).to.equal(written);
    expect(verdict).to.equal('identical');
  });

  it('a declared directive uses the descriptions of its JSON options', async () => {
    const described = await registry.contributions(directives).get('tea')?.describe?.();
    expect(described).to.deep.include({
      syntax: ['tea [<matcher>] [<kind>]'],
      summary: 'Makes tea.',
      example: ':8080 {\n\ttea green\n}\n',
    });
    const summaries = new Map(described?.options?.map(({ syntax, summary }) => [syntax, summary]));
    expect(summaries.get('kind <kind>')).to.equal('Kind of tea. Default: `black`.');
    expect(summaries.get('steep <duration>')).to.equal('Brewing time.');
    expect(summaries.get('cup <size>|unlimited')).to.equal('Size of the cup, in bytes.');
    expect(summaries.get('strength weak|strong')).to.equal('');
    expect(summaries.get('plain')).to.equal('Without milk.');
  });
});
