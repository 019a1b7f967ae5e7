import { expect } from 'chai';
import fc from 'fast-check';
import { HeaderMap } from '@sluice/http1';

type Lines = readonly (readonly [name: string, value: string])[];

/** Each mutating method, with its effect on a plain list of header lines. */
const changes: Record<
  string,
  [
    change: (map: HeaderMap, name: string, values: readonly string[]) => void,
    model: (lines: Lines, name: string, values: readonly string[]) => Lines,
  ]
> = {
  append: [
    (map, name, [value = '']) => map.append(name, value),
    (lines, name, [value = '']) => [...lines, [name, value]],
  ],
  set: [(map, name, [value = '']) => map.set(name, value), (lines, name, [value = '']) => replaced(lines, name, value)],
  setAll: [
    (map, name, values) => map.setAll(name, values),
    (lines, name, [first, ...rest]) =>
      first === undefined
        ? without(lines, name)
        : [...replaced(lines, name, first), ...rest.map((value) => [name, value] as const)],
  ],
  delete: [(map, name) => void map.delete(name), without],
  deleteWhere: [
    (map, name) => map.deleteWhere((each) => each >= name),
    (lines, name) => lines.filter(([each]) => each < name),
  ],
  clear: [(map) => map.clear(), () => []],
};

function without(lines: Lines, name: string): Lines {
  return lines.filter(([each]) => each !== name);
}

/** Replaces the first line that has the given name, and removes the other lines with that name. */
function replaced(lines: Lines, name: string, value: string): Lines {
  const at = lines.findIndex(([each]) => each === name);
  if (at < 0) return [...lines, [name, value]];
  return [...lines.slice(0, at), [name, value], ...without(lines.slice(at + 1), name)];
}

describe('http1 header map', () => {
  it('HeaderMap preserves the line order after any sequence of changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const value = fc.constantFrom('1', '2', '');
    const kind = fc.constantFrom('append', 'append', 'append', ...Object.keys(changes));
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, name, fc.array(value, { maxLength: 3 })), { maxLength: 20 }), (steps) => {
        const map = new HeaderMap();
        let lines: Lines = [];
        for (const [method, ...rest] of steps) {
          const [change, model] = changes[method] as (typeof changes)[string];
          change(map, ...rest);
          lines = model(lines, ...rest);
          expect([...map]).to.deep.equal(lines);
          expect(map.size).to.equal(lines.length);
          for (const each of ['a', 'b', 'c', 'd']) {
            const values = lines.filter(([of]) => of === each).map(([, of]) => of);
            expect(map.all(each)).to.deep.equal(values);
            expect(map.get(each)).to.equal(values[0]);
            expect(map.has(each)).to.equal(values.length > 0);
            expect(map.joined(each)).to.equal(values.length > 0 ? values.join(',') : undefined);
            expect(map.joined(each, '; ')).to.equal(values.length > 0 ? values.join('; ') : undefined);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('HeaderMap.delete reports whether the field was present', () => {
    const map = new HeaderMap();
    map.append('a', '1');
    expect([map.delete('b'), map.delete('a'), map.delete('a')]).to.deep.equal([false, true, false]);
  });

  it('HeaderMap.clone returns an independent copy', () => {
    const map = new HeaderMap();
    map.append('a', '1');
    map.append('b', '2');
    const copy = map.clone();
    copy.set('a', '3');
    copy.append('c', '4');
    expect([...map].join(' ')).to.equal('a,1 b,2');
    expect([...copy].join(' ')).to.equal('a,3 b,2 c,4');
  });
});
