import { expect } from 'chai';
import { readModule, unusedExports } from '../unused.mjs';

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
