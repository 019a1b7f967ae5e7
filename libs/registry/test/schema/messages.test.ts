import { expect } from 'chai';
import type { Json, SluiceError } from '@sluice/base';
import {
  apps,
  checkOptions,
  choice,
  defineModule,
  duration,
  integer,
  list,
  map,
  options,
  string,
  strings,
  structure,
  text,
  weakString,
} from '@sluice/registry';
import { Type } from 'typebox';

const shop = defineModule(apps, {
  name: 'shop',
  help: 'Has options of many kinds.',
  config: options({
    name: string('A name.'),
    kind: choice('A kind.', ['big', 'small']),
    size: integer('A size.', { minimum: 3 }),
    wait: duration('A time.'),
    status: weakString('A status.'),
    tags: strings('Tags.'),
    doors: list('Doors.', options({ width: integer('A width.') })),
    labels: map('Labels.', text()),
    site: structure('A site.', options({ host: string('A host.') })),
  }),
  provision: () => ({}),
});
const empty = defineModule(apps, { name: 'empty', help: 'Has none.', config: options({}), provision: () => ({}) });

function failure(config: Json, where = 'apps.shop', module = shop): SluiceError {
  try {
    checkOptions(module, config, where);
  } catch (error) {
    return error as SluiceError;
  }
  throw new Error('it passed');
}

describe('checkOptions messages', () => {
  const long = 'x'.repeat(100);
  const cases: [what: string, config: Json, message: string][] = [
    ['a wrong type', { name: 1 }, 'apps.shop.name: must be string, but is a number (1)'],
    [
      'a value that has neither of two types',
      { wait: true },
      'apps.shop.wait: must be integer or string, but is a boolean (true)',
    ],
    [
      'a value that has none of three types, and lists each type once',
      { status: [] },
      'apps.shop.status: must be string or number or boolean, but is an array',
    ],
    ['an object instead of a string', { name: {} }, 'apps.shop.name: must be string, but is an object'],
    [
      'the beginning of a long string',
      { tags: long },
      `apps.shop.tags: must be array, but is a string ("${'x'.repeat(59)})`,
    ],
    ['an invalid choice', { kind: 'huge' }, 'apps.shop.kind: must be one of "big", "small", but is a string ("huge")'],
    ['a value below the minimum', { size: 2 }, 'apps.shop.size: must be >= 3, but is a number (2)'],
    ['an invalid list element', { tags: ['a', 2] }, 'apps.shop.tags[1]: must be string, but is a number (2)'],
    [
      'an invalid key in a list element',
      { doors: [{}, { width: 'w' }] },
      'apps.shop.doors[1].width: must be integer, but is a string ("w")',
    ],
    [
      'a key that must be quoted',
      { labels: { 'a/b~c': 1 } },
      'apps.shop.labels["a/b~c"]: must be string, but is a number (1)',
    ],
    [
      'an unknown key and the supported keys',
      { nam: 'x' },
      'apps.shop: unknown key "nam" of shop; it has name, kind, size, wait, status, tags, doors, labels, site',
    ],
    ['an unknown key in a structure', { site: { prt: 1 } }, 'apps.shop.site: unknown key "prt" of shop; it has host'],
    ['options that are a string', 'x', 'apps.shop: must be object, but is a string ("x")'],
    ['options that are null', null, 'apps.shop: must be object, but is null'],
  ];
  for (const [what, config, message] of cases) {
    it(`checkOptions reports ${what}`, () => {
      const error = failure(config);
      expect(error.message).to.equal(message);
      expect(error.status).to.equal(400);
    });
  }

  it('checkOptions reports that a module does not have options', () => {
    expect(failure({ a: 1 }, 'apps.empty', empty).message).to.equal(
      'apps.empty: unknown key "a" of empty; it has no options',
    );
  });

  it('checkOptions reports only the path if the options are the whole document', () => {
    expect(failure({ name: 1 }, '').message).to.match(/^name: must be string/);
    expect(failure([], '').message).to.match(/must be object, but is an array$/);
  });

  it('checkOptions reports the deepest error of an alternative, in any order', () => {
    const size = Type.Object({ a: Type.Integer() });
    for (const alternatives of [
      [size, Type.Array(Type.String())],
      [Type.Array(Type.String()), size],
    ]) {
      const config = options({ value: Type.Union(alternatives) });
      const module = defineModule(apps, { name: 'either', help: 'Has a choice.', config, provision: () => ({}) });
      expect(failure({ value: { a: 'x' } }, 'apps.either', module).message).to.match(
        /^apps\.either\.value\.a: must be integer/,
      );
    }
  });

  it('checkOptions reports only the first error, or the deepest error of an alternative', () => {
    expect(failure({ site: { host: 1 }, name: 'x' }).message).to.match(/^apps\.shop\.site\.host: must be string/);
  });
});

describe('checkOptions after a change', () => {
  const many = (length: number, tag: Json): Json => ({ tags: Array.from({ length }, () => tag) });

  it('checkOptions checks all elements of lists with fewer than 32 elements', () => {
    // In longer lists, unchanged elements are not checked again, even if they are invalid. The test uses this to find the limit.
    expect(() => checkOptions(shop, many(31, 1), 'apps.shop', many(31, 1))).to.throw('tags[0]');
    expect(() => checkOptions(shop, many(32, 1), 'apps.shop', many(32, 1))).to.not.throw();
  });

  it('checkOptions does not treat prototype properties as keys', () => {
    const odd = JSON.parse('{"__proto__": {"a": 1}}') as Json;
    expect(() => checkOptions(shop, odd, 'apps.shop', odd)).to.throw('unknown key "__proto__"');
  });
});
