import { expect } from 'chai';
import fc from 'fast-check';
import { diffLines, formatCaddyfile } from '@sluice/caddyfile';

const cases: readonly [text: string, formatted: string][] = [
  ['a   b {\n\n\n  c  d\n\n\n\n e\n\n}\nf {\n}\n\n\n\ng', 'a b {\n\tc d\n\n\te\n}\nf {\n}\n\ng\n'],
  ['a\n{\n b {\n}\n c { d }\n}', 'a {\n\tb {\n\t}\n\tc {\n\t\td\n\t}\n}\n'],
  [':80 {\n respond `a  b\n  {x} ` 200\n}', ':80 {\n\trespond `a  b\n  {x} ` 200\n}\n'],
  [':80 {\n respond <<EOF\n   a   b\n   EOF 200   300\n}', ':80 {\n\trespond <<EOF\n   a   b\n   EOF 200 300\n}\n'],
  ['a {path}   {b}\n}\n}', 'a {path} {b}\n}\n}\n'],
  ['# x\n{\n#y\n a #z\n}#w   v', '# x\n{\n\t#y\n\ta #z\n}\n\n#w   v\n'],
  ['a { # t\nb\n} # u', 'a {\n\t# t\n\tb\n}\n\n# u\n'],
  ['a   b#1   { 9   \n\n\n\nc', 'a b#1   { 9   \n\n\nc\n'],
  ['a\uFEFFb   c', 'a\uFEFFb c\n'],
  ['', '\n'],
];

describe('formatted Caddyfiles', () => {
  for (const [text, formatted] of cases) {
    it(`the formatter formats ${JSON.stringify(text)} in the same way as Caddy`, () =>
      expect(formatCaddyfile(text)).to.equal(formatted));
  }

  it('the formatter leaves formatted Caddyfiles unchanged', () => {
    const word = fc.constantFrom('a', 'respond', '"x  y"', '{path}', '`b {`', '# c\n', 'd#e');
    const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('  '));
    const block = fc.tuple(line, fc.array(line)).map(([head, lines]) => `${head} {\n\n${lines.join('\n\n\n')}\n }\n`);
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const once = formatCaddyfile(blocks.join('\n'));
        expect(formatCaddyfile(once)).to.equal(once);
      }),
    );
  });

  it('the formatter reports the lines that differ', () => {
    expect(diffLines('a\nb\nc\n', 'a\nx\nc\nd\n')).to.equal('  a\n- b\n+ x\n  c\n+ d\n');
  });
});
