import { expect } from 'chai';
import { readOptions, unreadOptions } from '../options.mjs';

const head = "import { options, string, boolean, structure } from '@sluice/registry';";

/** Returns the unread options in one package, given the names and texts of its files. Each file imports the files that it mentions. */
function unreadIn(files: Readonly<Record<string, string>>, root = '/work'): string[] {
  const source = `${root}/a/src/`;
  const all = new Map(Object.entries(files).map(([name, text]) => [source + name, readOptions(name, text)]));
  const imports = (file: string): string[] =>
    [...all.keys()].filter((each) => files[file.slice(source.length)]?.includes(`'${each.slice(source.length)}'`));
  return unreadOptions(all, imports, root).map(({ name }) => name);
}

describe('workspace script: options', () => {
  const declared = `${head} export const o = options({ kept: string('x'), 'with-dash': boolean('y') });`;

  for (const [title, use, unread] of [
    ['no use', '', ['kept', 'with-dash']],
    ['property access', 'o.kept; o["with-dash"];', []],
    ['destructuring', "const { kept, 'with-dash': dash } = o;", []],
    ['a key passed as an argument', "context.load(o, 'kept'); read('with-dash');", []],
    ['assignments only', "x.kept = 1; y = { 'with-dash': 1 };", ['kept', 'with-dash']],
    ['a key in an error message', "context.error('no', 'kept'); o['with-dash'];", ['kept']],
  ] as const) {
    it(`unreadOptions distinguishes read and unread options: ${title}`, () => {
      expect(unreadIn({ 'm/index.ts': `${declared} ${use}` })).to.deep.equal(unread);
    });
  }

  it('unreadOptions searches the directory of the module, its imports, and the files that import it', () => {
    expect(unreadIn({ 'm/index.ts': declared, 'm/b.ts': 'o.kept;', 'n/c.ts': "o['with-dash'];" })).to.deep.equal([
      'with-dash',
    ]);
    expect(unreadIn({ 'm/index.ts': `${declared} 'n/c.ts';`, 'n/c.ts': "o.kept; o['with-dash'];" })).to.deep.equal([]);
    expect(unreadIn({ 'm/index.ts': declared, 'n/c.ts': "o.kept; o['with-dash']; 'm/index.ts';" })).to.deep.equal([]);
  });

  it('unreadOptions ignores the names of directories above the workspace', () => {
    expect(unreadIn({ 'm/index.ts': declared, 'm/check.ts': 'o.kept;' }, '/checks/caddyfile')).to.deep.equal([
      'kept',
      'with-dash',
    ]);
  });

  it('unreadOptions ignores code that describes or writes configurations', () => {
    for (const file of ['m/caddyfile.ts', 'm/inverse.ts', 'm/describe.ts', 'm/caddyfile/draft.ts'])
      expect(unreadIn({ 'm/index.ts': declared, [file]: "o.kept; o['with-dash'];" })).to.have.length(2);
  });

  it('unreadOptions accepts options whose help states why they have no effect', () => {
    const said = `${head} options({ a: string('Accepted but ignored: the system decides.'), b: string('Accepted.') });`;
    expect(unreadIn({ 'm/index.ts': said })).to.deep.equal(['b']);
  });

  it('unreadOptions recognizes only options that the schema functions create', () => {
    expect(unreadIn({ 'm/index.ts': "import { list } from './list.ts'; x({ a: list('x') });" })).to.deep.equal([]);
  });
});
