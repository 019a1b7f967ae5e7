import { expect } from 'chai';
import fc from 'fast-check';
import { fieldJson, fieldMembers, spacedFieldJson } from '@sluice/base';

function throwing(): never {
  throw new Error('unreadable');
}

const circle: Record<string, unknown> = { name: 'c' };
circle.self = circle;
const shared = { a: 1 };

describe('fieldJson', () => {
  it('fieldJson returns one line of JSON for any value (property)', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
        (value) => {
          const text = fieldJson(value);
          expect(text).not.to.include('\n');
          expect(() => JSON.parse(text) as unknown).not.to.throw();
        },
      ),
    );
  });

  it('fieldJson replaces only the parts that JSON cannot represent', () => {
    expect(fieldJson({ big: [5n], circle })).to.equal('{"big":["5"],"circle":{"name":"c","self":"[Circular]"}}');
    expect(fieldJson({ big: 1n, first: shared, second: [shared] })).to.equal(
      '{"big":"1","first":{"a":1},"second":[{"a":1}]}',
    );
    expect(fieldJson({ toJSON: throwing })).to.equal('"[unserializable]"');
    expect(fieldJson(undefined)).to.equal('null');
  });
});

describe('fieldMembers', () => {
  it('fieldMembers returns the members without braces, or an empty string if there are no fields', () => {
    expect(fieldMembers({ count: 2, text: 'a "b"', none: undefined, run: throwing })).to.equal(
      String.raw`"count":2,"text":"a \"b\""`,
    );
    expect(fieldMembers({})).to.equal('');
  });

  it('fieldMembers includes all other fields if one field cannot be serialized', () => {
    expect(fieldMembers({ count: 2, bad: { toJSON: throwing }, none: undefined, run: throwing, circle })).to.equal(
      '"count":2,"bad":"[unserializable]","circle":{"name":"c","self":"[Circular]"}',
    );
  });
});

describe('spacedFieldJson', () => {
  it('spacedFieldJson separates members and elements by spaces, even if a value is circular', () => {
    expect(spacedFieldJson({ list: [1, 'a,b'], none: undefined, big: 5n, at: new Date(0) })).to.equal(
      '{"list": [1, "a,b"], "big": "5", "at": "1970-01-01T00:00:00.000Z"}',
    );
    expect(spacedFieldJson({ circle })).to.equal('{"circle": {"name": "c", "self": "[Circular]"}}');
  });
});
