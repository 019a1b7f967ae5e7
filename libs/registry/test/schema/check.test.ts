import { expect } from 'chai';
import { apps, checkOptions, defineModule, list, number, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { Type } from '../../src/schema/type.ts';

const item = options({ x: number('A number.') });
const listed = defineModule(apps, {
  name: 'listed',
  help: 'Has a list.',
  config: options({ items: list('A list.', item) }),
  provision: () => ({}),
});
const both = defineModule(apps, {
  name: 'both',
  help: 'Has a list, and options of their own.',
  config: options({ items: list('A list.', item), single: item }),
  provision: () => ({}),
});
const bounded = defineModule(apps, {
  name: 'bounded',
  help: 'Has a list that is judged as a whole.',
  config: Type.Unsafe<{ items: number[] }>({
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'integer' }, uniqueItems: true } },
  }),
  provision: () => ({}),
});

describe('checkOptions after a change', () => {
  let reads = 0;
  const counting = (): Json => ({
    get x() {
      reads++;
      return 1;
    },
  });
  const passed = Array.from({ length: 1000 }, counting);

  it('checkOptions checks only changed elements of a long list', () => {
    const readsOf = (items: readonly Json[], before?: Json): number => {
      reads = 0;
      checkOptions(listed, { items }, 'apps.listed', before);
      return reads;
    };
    const one = readsOf([counting()]);
    expect(one).to.be.at.least(1);
    expect(readsOf(passed.with(500, counting()), { items: passed })).to.equal(one);
    expect(readsOf(passed)).to.equal(1000 * one);
  });

  it('checkOptions reports the path of an invalid list element, relative to the whole list', () => {
    const faulty = { items: passed.with(700, { x: 'seven' }) };
    expect(() => checkOptions(listed, faulty, 'apps.listed', { items: passed })).to.throw(
      /^apps\.listed\.items\[700\]\.x: /,
    );
  });

  it('checkOptions checks every item of a list if the previous value of the option was not a list', () => {
    const faulty = { items: [...passed, { x: 'seven' }] };
    expect(() => checkOptions(listed, faulty, 'apps.listed', { items: { x: 1 } })).to.throw(/items\[1000\]\.x/);
    expect(() => checkOptions(listed, faulty, 'apps.listed', null)).to.throw(/items\[1000\]\.x/);
  });

  it('checkOptions checks new and moved options', () => {
    const faulty = { items: passed, single: { x: 'seven' } };
    for (const before of [{ items: passed }, { items: passed, single: null }])
      expect(() => checkOptions(both, faulty, 'apps.both', before)).to.throw(/^apps\.both\.single\.x: /);
  });

  for (const [keyword, value] of [
    ['maxItems', 99],
    ['minItems', 101],
    ['contains', { const: -1 }],
    ['items', [{}, { const: 1 }]],
  ] as const) {
    it(`checkOptions checks whole lists with ${keyword}`, () => {
      const items = { type: 'array', [keyword]: value };
      const config = Type.Unsafe<object>({
        type: 'object',
        properties: { a: { type: 'object', properties: { items } } },
      });
      const module = defineModule(apps, { name: keyword, help: 'Has a list.', config, provision: () => ({}) });
      const before = Array.from({ length: 100 }, (_, i) => i);
      const now = { a: { items: before.with(keyword === 'items' ? 1 : 50, 3) } };
      expect(() => checkOptions(module, now, 'apps.x', { a: { items: before } })).to.throw(/items/);
    });
  }

  it('checkOptions checks whole lists if the schema applies to the whole list', () => {
    const items = Array.from({ length: 100 }, (_, i) => i);
    expect(() => checkOptions(bounded, { items: items.with(50, 3) }, 'apps.bounded', { items })).to.throw(/items/);
  });
});
