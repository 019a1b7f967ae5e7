import { expect } from 'chai';
import { duplicateNames } from '../duplicates.mjs';
import { readModule } from '../names.mjs';

/** Returns the names that both packages `a` and `b` export, given their source files. */
function duplicatesOf(files: Readonly<Record<string, string>>): string[] {
  const modules = new Map(Object.entries(files).map(([name, text]) => [`/${name}`, readModule(name, text)]));
  const entries = new Map([
    ['@sluice/a', '/a/index.ts'],
    ['@sluice/a/more', '/a/more.ts'],
    ['@sluice/b', '/b/index.ts'],
  ]);
  return duplicateNames(modules, entries, (specifier) => specifier.slice(0, '@sluice/a'.length)).map(
    ({ name, files: declaring }) => [name, ...declaring].join(' '),
  );
}

describe('workspace script: duplicates', () => {
  it('duplicateNames reports names and types that two packages declare, and the files that declare them', () => {
    expect(
      duplicatesOf({
        'a/index.ts': "export * from './x.ts'; export const own = 1;",
        'a/x.ts': 'export interface Route {}',
        'b/index.ts': 'export class Route {}',
      }),
    ).to.deep.equal(['Route /a/x.ts /b/index.ts']);
  });

  it('duplicateNames ignores names that one package re-exports from another', () => {
    expect(
      duplicatesOf({
        'a/index.ts': 'export interface Route {}',
        'b/index.ts': "export { type Route } from '@sluice/a';",
      }),
    ).to.deep.equal([]);
  });

  it('duplicateNames finds a name that is re-exported under another name', () => {
    expect(
      duplicatesOf({
        'a/index.ts': 'export const one = 1;',
        'b/index.ts': "export { two as one } from './two.ts';",
        'b/two.ts': 'export const two = 2;',
      }),
    ).to.deep.equal(['one /a/index.ts /b/two.ts']);
  });

  it('duplicateNames ignores two entry points of one package', () => {
    expect(
      duplicatesOf({ 'a/index.ts': 'export const one = 1;', 'a/more.ts': 'export const one = 2;', 'b/index.ts': '' }),
    ).to.deep.equal([]);
  });
});
