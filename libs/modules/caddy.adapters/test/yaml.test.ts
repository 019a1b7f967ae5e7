import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { Json } from '@sluice/base';
import { adapterOf } from './adapting.ts';

const { adapt, errorOf, expectResponses } = adapterOf('yaml');

describe('caddy.adapters.yaml', () => {
  const texts: [text: string, config: unknown][] = [
    ['', null],
    ['# only a comment\n', null],
    ['apps:\n  http:\n    servers: {}\n', { apps: { http: { servers: {} } } }],
    ['{"a": [1, 2.5, true, null, "x"]}', { a: [1, 2.5, true, null, 'x'] }],
    ['since: 2026-11-21\nat: 2026-11-21T10:00:00Z\n', { since: '2026-11-21', at: '2026-11-21T10:00:00Z' }],
    ['yes: no\non: off\n', { yes: 'no', on: 'off' }],
    ['a: 0o17\nb: 0x1F\nc: 017\nd: 12e03\n', { a: 15, b: 31, c: 17, d: 12000 }],
    ['listen: [":80", 127.0.0.1:8080]\n', { listen: [':80', '127.0.0.1:8080'] }],
    ['text: |\n  one\n  two\nfolded: >\n  one\n  two\n', { text: 'one\ntwo\n', folded: 'one two\n' }],
    ['a: &x { b: 1 }\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x { b: 1, c: 2 }\nd:\n  <<: *x\n  c: 3\n', { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
    ['80: port\ntrue: yes\n~: nothing\n', { '80': 'port', true: 'yes', '': 'nothing' }],
    ['__proto__: { x: 1 }\n', JSON.parse('{"__proto__": {"x": 1}}')],
    ['a: &x {}\nb: { <<: { __proto__: 1 } }\n', { a: {}, b: JSON.parse('{"__proto__": 1}') as unknown }],
    ['---\na: 1\n...\n', { a: 1 }],
    ['\uFEFFa: 1\n', { a: 1 }],
  ];
  for (const [text, config] of texts) {
    it(`the yaml adapter parses ${JSON.stringify(text)}`, async () => {
      const adapted = await adapt(text);
      expect(JSON.stringify(adapted)).to.equal(JSON.stringify({ config, warnings: [] }));
      expect((await adapt(Buffer.from(text))).config).to.deep.equal(config);
    });
  }

  const repeated = `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from(
    { length: 9 },
    (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]\n`,
  ).join('')}`;
  const errors: [name: string, text: string, message: RegExp][] = [
    ['a duplicate key', 'a: 1\nb:\n  c: 1\n  c: 2\n', /line 4, column 3: .*unique/],
    ['a tab as indentation', 'a:\n\tb: 1\n', /line 2, column 1/],
    ['an unclosed list', 'a: [1, 2\nb: 3\n', /line 2/],
    ['an alias of an unknown anchor', 'a: *missing\n', /missing/],
    ['an anchor that contains its own alias', 'a: &a\n  b: *a\n', /unresolved|itself|deep/i],
    ['a list as a key', 'x: 1\n? [a, b]\n: c\n', /line 2, column 3: keys must be strings or numbers/],
    ['two documents', 'a: 1\n---\nb: 2\n', /line \d+, column \d+: .*multiple documents/i],
    ['infinity', 'a: .inf\n', /a is Infinity, which JSON cannot represent/],
    ['an alias bomb', repeated, /alias/i],
    ['extremely deep nesting', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, /nested (?:too deep|deeper than)/],
    [
      'extremely deep nesting of block mappings',
      Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      /nested more than/,
    ],
  ];
  for (const [name, text, message] of errors) {
    it(`the yaml adapter rejects ${name}`, async () => {
      const error = await errorOf(text);
      expect(error.message).to.contain('with yaml: ').and.to.match(message);
      expect(error.status).to.equal(400);
    });
  }

  it('the yaml adapter warns about unknown tags and reports their line numbers', async () => {
    const { config, warnings } = await adapt('a: 1\nb: !secret x\n', 'site.yaml');
    expect(config).to.deep.equal({ a: 1, b: 'x' });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.deep.include({ file: 'site.yaml', line: 2 });
    expect(warnings[0]?.message).to.contain('!secret');
  });

  it('the yaml adapter parses output of a YAML writer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const expected = JSON.parse(JSON.stringify(value)) as Json;
        expect((await adapt(stringify(expected))).config).to.deep.equal(expected);
        expect((await adapt(JSON.stringify(expected))).config).to.deep.equal(expected);
      }),
    );
  });

  it('the yaml adapter returns a configuration or a 400 error for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...['a', ': ', '- ', '\n', '  ', '\n  ', '{', '}', '[', ']', ', ', '&a ', '*a', '!!x ', '|', '>', '"'],
      ),
      fc.constantFrom(...["'", '#', '? ', '<<: ', '---\n', '...', '%YAML 1.2\n', '\t', '~', '0x', '__proto__']),
      fc.string({ maxLength: 4 }),
    );
    await expectResponses(piece);
  });
});
