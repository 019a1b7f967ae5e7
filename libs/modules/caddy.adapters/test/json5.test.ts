import { expect } from 'chai';
import fc from 'fast-check';
import JSON5 from 'json5';
import { adaptConfig } from '@sluice/reconciler';
import type { Json } from '@sluice/base';
import { adapterOf, registry } from './adapting.ts';

const { adapt, errorOf, expectResponses } = adapterOf('json5');

describe('caddy.adapters.json5', () => {
  const texts: [text: string, config: Json][] = [
    ['{"a": 1}', { a: 1 }],
    [
      "// a comment\n{ a: 'x', /* more */ 'b c': [1, 2,], hex: 0x10, plus: +1, half: .5, }",
      { a: 'x', 'b c': [1, 2], hex: 16, plus: 1, half: 0.5 },
    ],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}') as Json],
    ['{__proto__: {x: 1}}', JSON.parse('{"__proto__": {"x": 1}}') as Json],
    ['\uFEFF null', null],
    ["'two \\\nlines'", 'two lines'],
  ];
  for (const [text, config] of texts) {
    it(`the json5 adapter parses ${JSON.stringify(text)}`, async () => {
      expect(await adapt(text)).to.deep.equal({ config, warnings: [] });
      expect((await adapt(Buffer.from(text))).config).to.deep.equal(config);
    });
  }

  const errors: [text: string, message: string][] = [
    ['', 'line 1, column 1: invalid end of input'],
    ['{\n  a: 1\n  b: 2\n}', "line 3, column 3: invalid character 'b'"],
    ['{a: }', 'line 1, column 5'],
    ['// only a comment', 'invalid end of input'],
    ['{a: Infinity}', 'a is Infinity, which JSON cannot represent'],
    ['{a: [1, NaN]}', 'a[1] is NaN'],
    [`${'['.repeat(300)}${']'.repeat(300)}`, 'nested more than'],
  ];
  for (const [text, message] of errors) {
    it(`the json5 adapter rejects ${JSON.stringify(text.slice(0, 30))}`, async () => {
      const error = await errorOf(text);
      expect(error.message).to.contain('with json5: ').and.to.contain(message);
      expect(error.status).to.equal(400);
    });
  }

  it('the json5 adapter warns about duplicate keys and reports their line numbers', async () => {
    const text = `{
      a: 1, // "b": 0
      'b': { a: 2, /*
        a: 3 */ c: [{ a: 4 }, { a: 5 }] },
      "a": 'b: 1, b: 2',
      \\u0062: 6,
    }`;
    const { config, warnings } = await adapt(text, 'site.json5');
    expect(config).to.deep.equal({ a: 'b: 1, b: 2', b: 6 });
    expect(warnings).to.deep.equal([
      { file: 'site.json5', line: 5, message: 'duplicate key "a": the value on line 2 is ignored' },
      { file: 'site.json5', line: 6, message: 'duplicate key "b": the value on line 3 is ignored' },
    ]);
  });

  it('the json5 adapter also warns about duplicate keys in plain JSON', async () => {
    expect((await adapt('{"a":{"x":1,\n"x":2}}')).warnings).to.deep.equal([
      { file: '', line: 2, message: 'duplicate key "x": the value on line 1 is ignored' },
    ]);
  });

  it('the json5 adapter parses output of JSON and JSON5 writers without warnings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.boolean(), async (value, wide) => {
        const expected = JSON.parse(JSON.stringify(value)) as Json;
        expect(await adapt(JSON5.stringify(value, null, wide ? 2 : 0))).to.deep.equal({
          config: expected,
          warnings: [],
        });
      }),
    );
  });

  it('the json5 adapter returns a configuration or a 400 error for any text', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        "'",
        '\\',
        '/',
        '//',
        '/*',
        '*/',
        '\n',
        'a',
        '1',
        '"a"',
        '\\u00',
      ),
      fc.string(),
    );
    await expectResponses(piece);
  });

  it('the json5 adapter has no alias', async () => {
    const error = await adaptConfig(registry, 'nope', '{}').catch((it: unknown) => it);
    expect(error)
      .to.include({ status: 400, code: 'ERR_ADAPTER_UNKNOWN' })
      .and.to.have.property('message')
      .that.contains('json5');
  });
});
