import { expect } from 'chai';
import { readModule } from '../names.mjs';
import { unusedExports, unusedNames } from '../unused.mjs';

/** The unused exports among files, given by their names and texts. */
function unusedIn(files: Readonly<Record<string, string>>): string[] {
  const modules = new Map(Object.entries(files).map(([name, text]) => [`/src/${name}`, readModule(name, text)]));
  return unusedExports(modules, () => true).map(({ file, name }) => `${file.slice('/src/'.length)} ${name}`);
}

describe('workspace: unused exports', () => {
  const library = 'export const a = 1; export function b() {} export class C {}';

  it('are those that no other file imports', () => {
    expect(unusedIn({ 'a.ts': library, 'b.ts': "import { a } from './a.ts'; a;" })).to.deep.equal(['a.ts b', 'a.ts C']);
  });

  it('are not those that an index hands on, or that are imported under another name', () => {
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
    it(`are none where all is taken: ${use}`, () => {
      expect(unusedIn({ 'a.ts': library, 'b.ts': use })).to.deep.equal([]);
    });
  }

  it('are not types, which a signature may need', () => {
    expect(unusedIn({ 'a.ts': 'export interface A {} export type B = A;' })).to.deep.equal([]);
  });

  it('are found in the folder that an import names', () => {
    expect(
      unusedIn({ 'a.ts': library, 'x/a.ts': library, 'x/b.ts': "import { a, b, C } from '../a.ts'; [a, b, C];" }),
    ).to.deep.equal(['x/a.ts a', 'x/a.ts b', 'x/a.ts C']);
  });
});

describe('workspace: names of packages that none takes', () => {
  const files = {
    'a/src/index.ts': "export { b, type B } from './b.ts'; export * from './c.ts'; export const own = 1;",
    'a/src/b.ts': 'export const b = 1; export interface B {}',
    'a/src/c.ts': 'export const c = 1;',
    'a/src/user.ts': "import { own } from '@sluice/a'; own;",
  };

  /** The names of package `a` that none takes, when this file stands beside it. */
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

  it('are those that no file outside of its sources imports, types counted', () => {
    expect(idleWith('d/src/d.ts', "import { c } from '@sluice/a'; c;")).to.deep.equal(['B', 'b', 'own']);
    expect(idleWith('a/test/b.test.ts', "import { b, type B } from '@sluice/a'; b;")).to.deep.equal(['c', 'own']);
  });

  it('are those that another index hands on, unless it is there for third parties', () => {
    const text = "export { b } from '@sluice/a';";
    expect(idleWith('d/src/index.ts', text)).to.deep.equal(['B', 'b', 'c', 'own']);
    expect(idleWith('module/src/index.ts', text)).to.deep.equal(['B', 'c', 'own']);
  });

  it('are not those that a file names which loads the package as a whole', () => {
    const text = "const { own } = await import('@sluice/a'); own; type B = import('@sluice/a').B;";
    expect(idleWith('d/src/d.ts', text)).to.deep.equal(['b', 'c']);
  });
});
