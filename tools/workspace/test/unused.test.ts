import { expect } from 'chai';
import { readModule } from '../names.mjs';
import { unusedExports, unusedNames } from '../unused.mjs';

/** Returns the unused exports among files, given their names and texts. */
function unusedIn(files: Readonly<Record<string, string>>): string[] {
  const modules = new Map(Object.entries(files).map(([name, text]) => [`/src/${name}`, readModule(name, text)]));
  return unusedExports(modules, () => true).map(({ file, name }) => `${file.slice('/src/'.length)} ${name}`);
}

describe('tools/workspace/unused: exports', () => {
  const library = 'export const a = 1; export function b() {} export class C {}';

  it('unusedExports finds exports that no other file imports', () => {
    expect(unusedIn({ 'a.ts': library, 'b.ts': "import { a } from './a.ts'; a;" })).to.deep.equal(['a.ts b', 'a.ts C']);
  });

  it('unusedExports ignores names that an index re-exports or that are imported under another name', () => {
    expect(
      unusedIn({ 'a.ts': library, 'b.ts': "export { a, b as d } from './a.ts'; import { C as E } from './a.ts'; E;" }),
    ).to.deep.equal([]);
  });

  for (const use of [
    "import * as all from './a.ts'; all;",
    "export * from './a.ts';",
    "await import('./a.ts');",
    "new Worker(new URL('./a.ts', x));",
  ]) {
    it(`unusedExports finds nothing if all names are imported: ${use}`, () => {
      expect(unusedIn({ 'a.ts': library, 'b.ts': use })).to.deep.equal([]);
    });
  }

  it('unusedExports ignores types, which a signature may need', () => {
    expect(unusedIn({ 'a.ts': 'export interface A {} export type B = A;' })).to.deep.equal([]);
  });

  it('unusedExports resolves imports of directories', () => {
    expect(
      unusedIn({ 'a.ts': library, 'x/a.ts': library, 'x/b.ts': "import { a, b, C } from '../a.ts'; [a, b, C];" }),
    ).to.deep.equal(['x/a.ts a', 'x/a.ts b', 'x/a.ts C']);
  });
});

describe('tools/workspace/unused: names of packages', () => {
  const files = {
    'a/src/index.ts': "export { b, type B } from './b.ts'; export * from './c.ts'; export const own = 1;",
    'a/src/b.ts': 'export const b = 1; export interface B {}',
    'a/src/c.ts': 'export const c = 1;',
    'a/src/user.ts': "import { own } from '@sluice/a'; own;",
  };

  /** Returns the unused names of package `a`, given this other file. */
  function idleWith(file: string, text: string): string[] {
    const all = Object.entries({ ...files, [file]: text });
    const modules = new Map(all.map(([name, each]) => [`/${name}`, readModule(name, each)]));
    return unusedNames(modules, new Map([['@sluice/a', '/a/src/index.ts']]), {
      judged: () => true,
      isInside: (each) => each.startsWith('/a/src/'),
      isPublished: (each) => each.startsWith('/module/'),
    })
      .map(({ name }) => name)
      .toSorted();
  }

  it('unusedNames finds names and types that no file outside the sources imports', () => {
    expect(idleWith('d/src/d.ts', "import { c } from '@sluice/a'; c;")).to.deep.equal(['B', 'b', 'own']);
    expect(idleWith('a/test/b.test.ts', "import { b, type B } from '@sluice/a'; b;")).to.deep.equal(['c', 'own']);
  });

  it('unusedNames finds names that another index re-exports, unless it serves third parties', () => {
    const text = "export { b } from '@sluice/a';";
    expect(idleWith('d/src/index.ts', text)).to.deep.equal(['B', 'b', 'c', 'own']);
    expect(idleWith('module/src/index.ts', text)).to.deep.equal(['B', 'c', 'own']);
  });

  it('unusedNames ignores names mentioned in a file that imports the whole package', () => {
    const text = "const { own } = await import('@sluice/a'); own; type B = import('@sluice/a').B;";
    expect(idleWith('d/src/d.ts', text)).to.deep.equal(['b', 'c']);
  });
});
