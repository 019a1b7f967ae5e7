import { expect } from 'chai';
import fc from 'fast-check';
import { compileTemplate, type Unknown } from '@sluice/base';

const values: Readonly<Record<string, unknown>> = { a: 'A', 'a.b': 'AB', n: 7, none: undefined, 'x}y': 'brace' };
const resolve = (name: string): (() => unknown) | null => (name in values ? () => values[name] : null);
const expand = (text: string, unknown: Unknown): string => compileTemplate(text, resolve, unknown).expand(null);

describe('compileTemplate', () => {
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
    it(`compileTemplate expands ${JSON.stringify(text)} to ${JSON.stringify(keep)} if unknown placeholders are kept, and to ${JSON.stringify(empty)} otherwise`, () => {
      expect(expand(text, 'keep')).to.equal(keep);
      expect(expand(text, 'empty')).to.equal(empty);
    });
  }

  it('compileTemplate preserves the text around placeholders', () => {
    const literal = fc.stringMatching(/^[^{}\\]*$/);
    fc.assert(
      fc.property(literal, literal, literal, (one, two, three) => {
        expect(expand(`${one}{a}${two}{n}${three}`, 'empty')).to.equal(`${one}A${two}7${three}`);
      }),
    );
  });

  const fallbacks: readonly [text: string, unknown: Unknown, expanded: string][] = [
    ['{none}', 'keep', '{none}'],
    ['{none}', 'empty', ''],
    ['<{none}>', 'empty', '<>'],
    ['{none}{a}', 'empty', 'A'],
  ];
  for (const [text, unknown, expanded] of fallbacks) {
    it(`compileTemplate in mode ${unknown} expands ${JSON.stringify(text)}, which has an unknown value, to ${JSON.stringify(expanded)}`, () => {
      const template = compileTemplate(text, resolve, unknown);
      expect(template.constant).to.equal(null);
      expect(template.source).to.equal(text);
      expect(template.expand(null)).to.equal(expanded);
      expect(template.value(null)).to.equal(expanded);
    });
  }

  it('compileTemplate expands placeholders nested in an unknown placeholder, and keeps the closing brace', () => {
    const any =
      (name: string): (() => unknown) =>
      () =>
        name === 'a' ? 'A' : undefined;
    for (const unknown of ['keep', 'empty'] as const) {
      const template = compileTemplate('{"x": {a}', any, unknown);
      expect([template.expand(null), template.value(null)]).to.deep.equal(['{"x": A', '{"x": A']);
      expect(compileTemplate('-{"x": {a}-', any, unknown).expand(null)).to.equal('-{"x": A-');
    }
  });

  it('Template.value preserves the type of a value only if the template is a single placeholder', () => {
    expect(compileTemplate('{n}', resolve, 'keep').value(null)).to.equal(7);
    expect(compileTemplate('{n}', resolve, 'keep').expand(null)).to.equal('7');
    expect(compileTemplate('{n}0', resolve, 'keep').value(null)).to.equal('70');
    expect(compileTemplate('n', resolve, 'keep').value(null)).to.equal('n');
  });
});
