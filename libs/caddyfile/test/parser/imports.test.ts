import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { confine } from '@sluice/base';
import { findFiles, parseCaddyfile, type ParsedFile } from '@sluice/caddyfile';

/** Returns snippets that each import the previous snippet. Each snippet doubles either the number of imports or the length of the arguments. */
function multiplied(levels: number, leaf: string, line: string, again: string): string {
  const isLine = again.startsWith('import');
  let text = `(s0) {\n${leaf}}\n`;
  for (let i = 1; i <= levels; i++) text += `(s${i}) {\n${line}${i - 1}${isLine ? `\n${again}${i - 1}` : again}\n}\n`;
  return `${text}:80 {\nimport s${levels} xx\n}\n`;
}

describe('imports in a Caddyfile', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-imports-'));
    mkdirSync(join(folder, 'sites'));
    mkdirSync(join(folder, 'sites/folder.conf'));
    const files = {
      'sites/b.conf': 'b {\n\tx {$ONE}\n}\n',
      'sites/a.conf': 'a {\n\timport ../snippets\n}\n',
      'sites/a.txt': 'c {\n}\n',
      snippets: '\ty z',
      circle: 'import circle\n',
      broken: 'x <<END\n',
      defining:
        '(one) {\n\tx {args[0]} {\n\t\ty\n\t}\n\t{blocks.more}\n}\nb {\n\tx {args[0]}\n\t{block}\n}\n"(two)" {\n\tx {args[0]}\n}\n',
      'brace-below': '(three)\n{\n\tx {args[0]}\n}\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  after(() => rmSync(folder, { recursive: true }));

  const parse = (text: string, reads?: (pattern: string) => void): ParsedFile =>
    parseCaddyfile(text, join(folder, 'Caddyfile'), { ONE: '1' }, reads);
  const shapeOf = (text: string): string[][] =>
    parse(text).blocks.map(({ keys, segments }) => [
      keys.map((key) => key.text).join(' '),
      ...segments.map((segment) => segment.map((token) => token.text).join(' ')),
    ]);
  const warningsOf = (text: string): string[] => parse(text).warnings.map(({ line, message }) => `${line} ${message}`);
  const importing = (snippet: string, line: string): string => `(s) {\n\t${snippet}\n}\na {\n\timport s ${line}\n}\n`;

  it('import reads a single file, or all files that match a pattern in alphabetical order', () => {
    expect(shapeOf('import sites/b.conf\n')).to.deep.equal([['b', 'x 1']]);
    expect(shapeOf('import sites/*.conf\n')).to.deep.equal([
      ['a', 'y z'],
      ['b', 'x 1'],
    ]);
    expect(shapeOf(`import ${folder}/sit?s/[ab].conf\n`.replace('[ab]', 'b'))).to.deep.equal([['b', 'x 1']]);
    expect(shapeOf('d {\n\timport snippets\n}\n')).to.deep.equal([['d', 'y z']]);
  });

  it('the parser reports imported files to its caller', () => {
    const patterns: string[] = [];
    parse('import sites/*.conf\n', (pattern) => patterns.push(pattern));
    expect(patterns).to.deep.equal([join(folder, 'sites/*.conf'), join(folder, 'snippets')]);
  });

  for (const [what, text, message] of [
    [
      'tokens',
      multiplied(16, 'x\n'.repeat(40), 'import s', 'import s'),
      'imports expand this file to more than 1000000 tokens',
    ],
    [
      'characters',
      multiplied(40, 'x {args[0]}\n', 'import s', ' {args[0]}{args[0]}'),
      'imports expand this file to more than 67108864 characters',
    ],
    ['imports', multiplied(20, '\n', 'import s', 'import s'), 'too many imports: the maximum is 100000'],
  ] as const) {
    it(`the ${what} of nested snippets is limited @long`, function () {
      this.timeout(20_000);
      expect(text.length).to.be.below(2000);
      expect(() => parse(text)).to.throw(message);
    });
  }

  // Attack in docs/security.md: `/adapt` requests that try to read or detect files with `import`, `{$NAME}`, `include`, password files or
  // certificates.
  it('in confined mode, the parser rejects imports and environment variables without reading them', () => {
    const texts = ['import sites/b.conf\n', 'import none\n', 'a {\n\tx {$ONE}\n}\n', 'a {\n\tx {$NONE:default}\n}\n'];
    const messages = texts.map((text) => {
      try {
        return confine(() => parse(text)).blocks.length;
      } catch (error) {
        return (error as Error).message
          .replace(/: this client is not allowed.*external_reads/, '…')
          .replaceAll(folder, '');
      }
    });
    expect(messages).to.deep.equal([
      'import sites/b.conf…, at /Caddyfile:1',
      'import none…, at /Caddyfile:1',
      'line 2: {$ONE}…',
      'line 2: {$NONE:default}…',
    ]);
    expect(confine(() => parse('(s) {\n\tx\n}\na {\n\timport s\n}\n')).blocks).to.have.length(1);
  });

  it('import patterns with several wildcards are supported', () => {
    const from = join(folder, 'Caddyfile');
    const found = (pattern: string): string[] | undefined =>
      findFiles(pattern, from)?.map((path) => path.slice(folder.length + 1));
    expect(found('sites/?.*')).to.deep.equal(['sites/a.conf', 'sites/a.txt', 'sites/b.conf']);
    expect(found('s*s/[a].conf')).to.deep.equal(['sites/a.conf']);
    expect(found('none/*')).to.deep.equal([]);
    expect(found('sites/[.conf')).to.deep.equal([]);
    expect(found('sites')).to.equal(undefined);
  });

  it('an import in a Caddyfile can pass on individual arguments or all arguments', () => {
    expect(shapeOf(importing('x {args[0]} {args[2]} {args[:]} {args[1:2]} v{args[1]}', '1 2 3'))).to.deep.equal([
      ['a', 'x 1 3 1 2 3 2 v2'],
    ]);
    expect(warningsOf(importing('x {args[0]} {args[:]}', '1'))).to.deep.equal([]);
  });

  for (const [what, snippet, kept, warning] of [
    ['a missing argument', 'x {args[2]}', 'x {args[2]}', 'index is out of bounds, only 2 argument(s) exist'],
    ['a non-numeric index', 'x {args[a]}', 'x {args[a]}', 'has an invalid index'],
    ['a range within a token', 'x v{args[0:]}', 'x v{args[0:]}', 'must be a token on its own'],
    [
      'a range that is out of bounds',
      'x {args[0:3]}',
      'x {args[0:3]}',
      'indices are out of bounds, only 2 argument(s) exist',
    ],
    ['a range with a non-numeric start', 'x {args[a:]}', 'x {args[a:]}', 'has an invalid start index'],
    ['a range with a non-numeric end', 'x {args[:a]}', 'x {args[:a]}', 'has an invalid end index'],
    ['the deprecated argument syntax', 'x {args.1}', 'x 2', 'deprecated, use {args[1]} instead'],
  ] as const)
    it(`an import in a Caddyfile warns about ${what}`, () => {
      expect(shapeOf(importing(snippet, '1 2'))).to.deep.equal([['a', kept]]);
      expect(warningsOf(importing(snippet, '1 2')).join('; '))
        .to.contain(`2 `)
        .and.contain(warning);
    });

  it('definitions in an imported Caddyfile are visible to the importing file', () => {
    const own =
      'import defining outer {\n\tz\n}\na {\n\timport one inner {\n\t\tmore {\n\t\t\tw\n\t\t}\n\t}\n\timport two inner\n}\n';
    expect(shapeOf(own)).to.deep.equal([
      ['b', 'x outer', 'z'],
      ['a', 'x inner { y }', 'w', 'x inner'],
    ]);
    expect(shapeOf('import brace-below outer\na {\n\timport three inner\n}\n')).to.deep.equal([['a', 'x outer']]);
    const within = '(s) {\n\t(inner) {\n\t\tx {args[0]}\n\t}\n}\nimport s outer\na {\n\timport inner 1\n}\n';
    expect(shapeOf(within)).to.deep.equal([['a', 'x 1']]);
  });

  it('each Caddyfile segment records its snippet name, and the lines of the imports through which it was included', () => {
    const [block] = parse('import defining\na {\n\timport two\n}\n').blocks.slice(-1);
    const sites = block?.segments[0]?.[0]?.imports.map(({ line, snippet }) => `${line} ${snippet}`.trim());
    expect(sites).to.deep.equal(['1', '3 two']);
  });

  it('an import pattern that matches no file causes a warning', () => {
    expect(warningsOf('import none/*\na {\n}\n')).to.deep.equal(['1 No files matching import glob pattern: none/*']);
  });

  it('an import in a Caddyfile accepts named blocks with one or several lines', () => {
    const text =
      '(s) {\n\t{blocks.one}\n\t{blocks.two}\n\t{blocks.none}\n}\na {\n\timport s {\n\t\tone {\n\t\t\tx\n\t\t}\n\t\ttwo {\n\t\t\ty z {\n\t\t\t\tw\n\t\t\t}\n\t\t}\n\t}\n}\n';
    expect(shapeOf(text)).to.deep.equal([['a', 'x', 'y z { w }']]);
  });

  for (const [what, text, problem] of [
    ['a missing file', 'import none\n', 'File to import not found: none'],
    ['several wildcards', 'import */*.conf\n', 'Glob pattern may only contain one wildcard (*)'],
    ['a file that imports itself', 'import circle\n', 'a cycle of imports exists between'],
    [
      'a snippet that imports itself',
      '(s) {\n\timport s\n}\na {\n\timport s\n}\n',
      'a cycle of imports exists between',
    ],
    [
      'snippets that import each other',
      '(s) {\n\timport t\n}\n(t) {\n\timport s\n}\na {\n\timport s\n}\n',
      'a cycle of imports exists',
    ],
    ['an invalid file', 'import broken\n', `Could not import`],
    [
      'an anonymous block',
      '(s) {\n\tx\n}\na {\n\timport s {\n\t\t{\n\t\t\ty\n\t\t}\n\t}\n}\n',
      'anonymous blocks are not supported',
    ],
    ['a duplicate snippet', '(s) {\n\tx\n}\n(s) {\n\ty\n}\n', 'redeclaration of previously declared snippet s'],
  ] as const)
    it(`an import in a Caddyfile rejects ${what}`, () => {
      expect(() => parse(text)).to.throw(problem);
    });
});
