import { expect } from 'chai';
import fc from 'fast-check';
import { compileTemplate, type Unknown } from '@sluice/base';

const values: Readonly<Record<string, unknown>> = { a: 'A', 'a.b': 'AB', n: 7, none: undefined, 'x}y': 'brace' };
const resolve = (name: string): (() => unknown) | null => (name in values ? () => values[name] : null);
const expand = (text: string, unknown: Unknown): string => compileTemplate(text, resolve, unknown).expand(null);

describe('placeholders: compiled texts', () => {
  const rows: readonly [text: string, keep: string, empty: string][] = [
    ['', '', ''],
    ['plain', 'plain', 'plain'],
    ['{a}', 'A', 'A'],
    ['-{a}-{n}-', '-A-7-', '-A-7-'],
    ['{a}{a.b}', 'AAB', 'AAB'],
    ['{b}', '{b}', ''],
    ['1{b}2{a}3', '1{b}2A3', '12A3'],
    ['{none}|', '{none}|', '|'],
    [String.raw`\{a\}`, '{a}', '{a}'],
    [String.raw`x\{{a}\}y`, 'x{A}y', 'x{A}y'],
    [String.raw`\n{a}\\`, String.raw`\nA\\`, String.raw`\nA\\`],
    ['{a', '{a', '{a'],
    ['a}', 'a}', 'a}'],
    ['{"k": "{a}"}', '{"k": "A"}', '{"k": "A"}'],
    ['{}', '{}', '{}'],
  ];
  for (const [text, keep, empty] of rows) {
    it(`makes ${JSON.stringify(keep)} of ${JSON.stringify(text)}, or ${JSON.stringify(empty)}`, () => {
      expect(expand(text, 'keep')).to.equal(keep);
      expect(expand(text, 'empty')).to.equal(empty);
    });
  }

  it('keeps what is around placeholders', () => {
    const literal = fc.stringMatching(/^[^{}\\]*$/);
    fc.assert(
      fc.property(literal, literal, literal, (one, two, three) => {
        expect(expand(`${one}{a}${two}{n}${three}`, 'empty')).to.equal(`${one}A${two}7${three}`);
      }),
    );
  });
});
