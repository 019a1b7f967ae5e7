import { expect } from 'chai';
import { checkBare, checkBrands, checkCodes } from '../errors.mjs';

/** Returns a package with the given files in `src/` and the given error codes in its catalog. */
function source(path: string, files: Readonly<Record<string, string>>, ...codes: string[]) {
  return {
    path,
    codes: Object.fromEntries(codes.map((code) => [code, { meaning: 'm', advice: 'a' }])),
    files: new Map(Object.entries(files).map(([name, text]) => [`${path}/src/${name}`, text])),
  };
}

describe('workspace script: errors with codes', () => {
  it('checkCodes accepts codes in a package catalog, which other packages may use', () => {
    const owner = source('libs/a', { 'x.ts': "new SluiceError('ERR_A', '')" }, 'ERR_A');
    expect(checkCodes([owner, source('libs/b', { 'y.ts': "error.code === 'ERR_A'" })])).to.deep.equal([]);
  });

  it('checkCodes rejects an error code without a catalog entry', () => {
    expect(checkCodes([source('libs/a', { 'x.ts': "readonly code = 'ERR_A';" })])).to.deep.equal([
      'libs/a/src/x.ts: ERR_A is in no catalog; add it to libs/a/src/error-codes.ts',
    ]);
  });

  it('checkCodes rejects unused and duplicate catalog entries', () => {
    const one = source('libs/a', {}, 'ERR_A');
    expect(checkCodes([one])).to.deep.equal(['libs/a: nothing raises ERR_A']);
    const two = source('libs/b', { 'y.ts': "'ERR_A'" }, 'ERR_A');
    expect(checkCodes([one, two])).to.include('ERR_A is in the catalogs of libs/a and libs/b');
  });
});

describe('workspace script: errors and brands', () => {
  const index = "export { OneError } from './errors.ts';";
  const branded =
    'export class OneError extends Error {\n  x() {\n    Object.defineProperty(this, brand, {});\n  }\n}\n';
  const bare = 'export class OneError extends Error {\n}\nObject.defineProperty(this, brand, {});\n';

  it('checkBrands requires that exported error classes have a brand', () => {
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': branded })])).to.deep.equal([]);
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': bare })])).to.deep.equal([
      "libs/a/src/errors.ts: OneError crosses packages and has no brand (Symbol.for('sluice.…'))",
    ]);
    expect(checkBrands([source('libs/a', { 'index.ts': '', 'errors.ts': bare })])).to.deep.equal([]);
  });

  it('checkBrands rejects instanceof with branded errors in all packages', () => {
    const user = source('libs/b', { 'y.ts': 'if (error instanceof OneError) throw error;' });
    expect(checkBrands([source('libs/a', { 'index.ts': index, 'errors.ts': branded }), user])).to.deep.equal([
      'libs/b/src/y.ts: instanceof OneError fails for another copy of the class; check its brand',
    ]);
  });
});

describe('workspace script: errors without a code', () => {
  const bare = "throw new TypeError('x');";

  it('checkBare rejects throwing and extending built-in errors', () => {
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

  it('checkBare permits a built-in Error that is listed with a reason, and reports list entries that no longer apply', () => {
    const packages = [source('libs/a', { 'deep/x.ts': bare })];
    expect(checkBare(packages, { 'libs/a/src/deep/': 'caught' })).to.deep.equal([]);
    expect(checkBare(packages, { 'libs/a/src/deep/': 'caught', 'libs/b/': 'gone' })).to.deep.equal([
      'error-exceptions.mjs: libs/b/ no longer needs an exception',
    ]);
  });
});
