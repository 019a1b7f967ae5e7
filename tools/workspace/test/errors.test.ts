import { expect } from 'chai';
import { checkBare, checkBrands, checkCodes } from '../errors.mjs';

/** A package with these files under `src/` and these codes in its catalogue. */
function source(path: string, files: Readonly<Record<string, string>>, ...codes: string[]) {
  return {
    path,
    codes: Object.fromEntries(codes.map((code) => [code, { meaning: 'm', advice: 'a' }])),
    files: new Map(Object.entries(files).map(([name, text]) => [`${path}/src/${name}`, text])),
  };
}

describe('workspace: error codes', () => {
  it('are in the catalogue of a package, which others may use', () => {
    const owner = source('libs/a', { 'x.ts': "new SluiceError('ERR_A', '')" }, 'ERR_A');
    expect(checkCodes([owner, source('libs/b', { 'y.ts': "error.code === 'ERR_A'" })])).to.deep.equal([]);
  });

  it('are not raised without an entry', () => {
    expect(checkCodes([source('libs/a', { 'x.ts': "readonly code = 'ERR_A';" })])).to.deep.equal([
      'libs/a/src/x.ts: ERR_A is in no catalogue; put it into libs/a/src/error-codes.ts',
    ]);
  });

  it('have no entry that nothing raises, nor two', () => {
    const one = source('libs/a', {}, 'ERR_A');
    expect(checkCodes([one])).to.deep.equal(['libs/a: nothing raises ERR_A']);
    const two = source('libs/b', { 'y.ts': "'ERR_A'" }, 'ERR_A');
    expect(checkCodes([one, two])).to.include('ERR_A is in the catalogues of libs/a and libs/b');
  });
});

describe('workspace: errors that cross packages', () => {
  const index = "export { OneError } from './errors.ts';";
  const branded =
    'export class OneError extends Error {\n  x() {\n    Object.defineProperty(this, brand, {});\n  }\n}\n';
  const bare = 'export class OneError extends Error {\n}\nObject.defineProperty(this, brand, {});\n';

  it('have a brand', () => {
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': branded })])).to.deep.equal([]);
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': bare })])).to.deep.equal([
      "libs/a/src/errors.ts: OneError crosses packages and has no brand (Symbol.for('sluice.…'))",
    ]);
    expect(checkBrands([source('libs/a', { 'index.ts': '', 'errors.ts': bare })])).to.deep.equal([]);
  });

  it('are not asked for by instanceof, in any package', () => {
    const user = source('libs/b', { 'y.ts': 'if (error instanceof OneError) throw error;' });
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': branded }), user])).to.deep.equal([
      "libs/b/src/y.ts: instanceof OneError does not know another copy's; ask for its brand",
    ]);
  });
});

describe('workspace: errors without a code', () => {
  const bare = "throw new TypeError('x');";

  it('are not raised, nor derived from', () => {
    expect(checkBare([source('libs/a', { 'x.ts': `const a = 1;\n${bare}` })], {})).to.deep.equal([
      `libs/a/src/x.ts:2: an error without a code: ${bare}`,
    ]);
    const derived = 'export class Odd extends Error {\n  readonly at = 1;\n}\n';
    expect(checkBare([source('libs/a', { 'x.ts': derived })], {})).to.have.length(1);
    const coded = derived.replace('at = 1', "code = 'ERR_A'");
    expect(checkBare([source('libs/a', { 'x.ts': `${coded}throw new SluiceError('ERR_A', 'x');` })], {})).to.deep.equal(
      [],
    );
  });

  it('may be raised where there is a reason, as long as it is needed', () => {
    const packages = [source('libs/a', { 'deep/x.ts': bare })];
    expect(checkBare(packages, { 'libs/a/src/deep/': 'caught' })).to.deep.equal([]);
    expect(checkBare(packages, { 'libs/a/src/deep/': 'caught', 'libs/b/': 'gone' })).to.deep.equal([
      'error-exceptions.mjs: libs/b/ needs no exception any more',
    ]);
  });
});
