import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import type { Json } from '@sluice/base';
import { adapterOf } from './adapting.ts';

const { adapt, errorOf, expectResponses } = adapterOf('toml');

describe('caddy.adapters.toml', () => {
  const texts: [text: string, config: unknown][] = [
    ['', {}],
    ['\uFEFFa = 1 # one\n', { a: 1 }],
    ['[apps.http.servers.s]\nlisten = [":80"]\n', { apps: { http: { servers: { s: { listen: [':80'] } } } } }],
    [
      '[[routes]]\nterminal = true\n[[routes.handle]]\nhandler = "static_response"\nbody = """\none\ntwo"""\n',
      { routes: [{ terminal: true, handle: [{ handler: 'static_response', body: 'one\ntwo' }] }] },
    ],
    ['a = 0x1F\nb = 1_000\nc = -0.5\nd = "\\u00e9"\n', { a: 31, b: 1000, c: -0.5, d: 'é' }],
    [
      'a = 2026-11-21\nb = 10:00:00\nc = 2026-11-21T10:00:00Z\nd = 2026-11-21T10:00:00\n',
      { a: '2026-11-21', b: '10:00:00.000', c: '2026-11-21T10:00:00.000Z', d: '2026-11-21T10:00:00.000' },
    ],
    ['__proto__ = { x = 1 }\n', JSON.parse('{"__proto__": {"x": 1}}')],
    ['[a.__proto__]\nx = 1\n', JSON.parse('{"a": {"__proto__": {"x": 1}}}')],
    ['"@id" = "x"\n"a b".c = 1\n', { '@id': 'x', 'a b': { c: 1 } }],
  ];
  for (const [text, config] of texts) {
    it(`the toml adapter parses ${JSON.stringify(text)}`, async () => {
      const adapted = await adapt(text);
      expect(JSON.stringify(adapted)).to.equal(JSON.stringify({ config, warnings: [] }));
      expect((await adapt(Buffer.from(text))).config).to.deep.equal(config);
      expect(({} as { x?: unknown }).x).to.equal(undefined);
    });
  }

  const errors: [name: string, text: string, message: RegExp][] = [
    ['a duplicate key', 'a = 1\n\nb = 2\na = 3\n', /line 4, column 1: /],
    ['a duplicate table', '[a]\n[b]\n[a]\n', /line 3, column \d+: /],
    ['a key without a value', 'a = 1\nb =\n', /line 2, column \d+: /],
    ['an unterminated string', 'a = "x\n', /line 1, column \d+: /],
    ['an integer that is too large', 'a = 1\nb = 9007199254740993\n', /line 2, column \d+: /],
    ['infinity', 'a = inf\n', /a is Infinity, which JSON cannot represent/],
    ['NaN', 'a = [1, nan]\n', /a\[1\] is NaN/],
    ['extremely deep nesting', `a = ${'['.repeat(5_000)}${']'.repeat(5_000)}`, /nest|depth|deep/],
    ['nesting beyond the limit', `a = ${'['.repeat(300)}${']'.repeat(300)}`, /nested more than/],
  ];
  for (const [name, text, message] of errors) {
    it(`the toml adapter rejects ${name}`, async () => {
      const error = await errorOf(text);
      expect(error.message).to.contain('with toml: ').and.to.match(message);
      expect(error.message).to.not.contain('\n');
      expect(error.status).to.equal(400);
    });
  }

  it('the toml adapter parses output of a TOML writer', async () => {
    const value = fc.letrec<{ table: Json; any: Json }>((tie) => ({
      table: fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.boolean(),
        fc.integer(),
        fc.array(fc.string(), { maxLength: 4 }),
        tie('table'),
      ),
    })).table;
    await fc.assert(
      fc.asyncProperty(value, async (table) => {
        const expected = JSON.parse(JSON.stringify(table)) as Json;
        expect((await adapt(stringify(expected))).config).to.deep.equal(expected);
      }),
    );
  });

  it('the toml adapter returns a configuration or a 400 error for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...['a', '=', '\n', '[', ']', '[[', ']]', '{', '}', ',', '.', '"', "'", '"""', '1', '-', ':', 'T', '\\u'],
      ),
      fc.string({ maxLength: 4 }),
    );
    await expectResponses(piece);
  });
});
