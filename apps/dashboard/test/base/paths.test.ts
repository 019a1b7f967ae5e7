import { formatPointer, formatWhere, parseWhere as parseWhereOfServer } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseAddress, addressOf, parsePointer, parseWhere, pointerOf, whereOf } from '../../src/page/base/paths.ts';

const paths = fc.array(
  fc.oneof(
    fc.nat(20),
    fc.constantFrom('apps', 'http', '@id', 'a.b', 'a/b', 'a~1', 'é', '-x', ''),
    fc.string({ maxLength: 5, unit: 'grapheme' }),
  ),
  { maxLength: 6 },
);

describe('dashboard.base.paths', () => {
  it('the dashboard formats and parses configuration paths in the same way as the server', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const where = whereOf(path);
        expect(where).to.equal(formatWhere(path));
        expect(parseWhere(where).map(String)).to.deep.equal(parseWhereOfServer(where)?.map(String));
        expect(pointerOf(path)).to.equal(formatPointer(path.map(String)));
      }),
    );
  });

  it('configuration paths round-trip in every notation', () => {
    fc.assert(
      fc.property(paths, (path) => {
        expect(parsePointer(pointerOf(path)).map(String)).to.deep.equal(path.map(String));
        expect(parseWhere(whereOf(path)).map(String)).to.deep.equal(path.map(String));
        const plain = path.filter((key) => key !== '');
        expect(parseAddress(addressOf(plain)).map(String)).to.deep.equal(plain.map(String));
      }),
    );
  });

  it('invalid configuration paths resolve to no value', () => {
    expect(parseWhere('not a path')).to.deep.equal(['not a path']);
    expect(parseWhere('a["b')).to.deep.equal(['a["b']);
  });
});
