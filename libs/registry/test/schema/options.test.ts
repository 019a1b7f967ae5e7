import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  anything,
  apps,
  boolean,
  checkOptions,
  choice,
  defineModule,
  duration,
  headerMap,
  inlineModule,
  inlineModules,
  integer,
  integers,
  json,
  list,
  listOptions,
  map,
  mapOptions,
  moduleMap,
  moduleSets,
  namespace,
  number,
  options,
  orNull,
  string,
  strings,
  structure,
  text,
  weakString,
} from '@sluice/registry';
import type { Json } from '@sluice/base';

const parts = namespace<object>('test.parts');

/** Returns the validation error for options, or `null` if they are valid. */
function verdict(config: Parameters<typeof defineModule>[1]['config'], value: Json): string | null {
  const module = defineModule(apps, { name: 'sample', help: 'A sample.', config, provision: () => ({}) });
  try {
    checkOptions(module, value, 'apps.sample');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('option builders', () => {
  const inner = options({ size: integer('A size.') });
  const builders = {
    string: [string('x'), ['', 'a'], [1, true, [], {}]],
    choice: [choice('x', ['a', 'b']), ['a', 'b'], ['c', '', 1]],
    integer: [integer('x', { minimum: 1 }), [1, 2], [0, 1.5, '1']],
    number: [number('x'), [0, 1.5, -1], ['1', true]],
    boolean: [boolean('x'), [true, false], [0, 'true']],
    duration: [duration('x'), [0, 1_000_000, '1m30s'], [1.5, true, {}]],
    weakString: [weakString('x'), ['{port}', 80, 1.5, true], [[], {}]],
    list: [list('x', text()), [[], ['a', '']], ['a', [1], [null]]],
    'list of orNull': [list('x', orNull(text())), [[null, 'a']], [[1]]],
    'list of anything': [list('x', anything()), [[null, 1, {}, 'a']], ['a']],
    strings: [strings('x'), [[], ['a']], ['a', [1]]],
    integers: [integers('x'), [[], [1]], [1, [1.5], ['1']]],
    map: [map('x', text()), [{}, { any: 'a', '': 'b' }], [[], { any: 1 }]],
    headerMap: [headerMap('x'), [{ A: ['b'] }, { A: null }], [{ A: 'b' }, { A: [1] }]],
    structure: [structure('x', inner), [{}, { size: 1 }, { size: null }], [{ other: 1 }, { size: 'a' }]],
    moduleMap: [moduleMap('x', parts), [{}, { one: {} }], [[], 'a']],
    moduleSets: [moduleSets('x', parts), [[], [{}]], [{}, 'a']],
    inlineModules: [inlineModules('x', parts, 'part'), [[], [{ part: 'one' }]], [{}, ['a']]],
  } as const;
  for (const [name, [schema, good, bad]] of Object.entries(builders)) {
    const config = options({ key: schema as ReturnType<typeof string> });
    it(`the option builder ${name} accepts valid values, an absent key and null`, () => {
      for (const value of [...good, null])
        expect(verdict(config, { key: value as Json }), JSON.stringify(value)).to.equal(null);
      expect(verdict(config, {})).to.equal(null);
    });
    it(`the option builder ${name} rejects invalid values and reports their path`, () => {
      for (const value of bad)
        expect(verdict(config, { key: value as Json }), JSON.stringify(value)).to.match(/^apps\.sample\.key/);
    });
  }

  it('inlineModule rejects null, because null is not a module', () => {
    const config = options({ key: inlineModule('x', parts, 'part') });
    expect(verdict(config, { key: { part: 'one' } })).to.equal(null);
    expect(verdict(config, {})).to.equal(null);
    expect(verdict(config, { key: null })).to.equal('apps.sample.key: must be object, but is null');
  });

  it('the json option builder accepts all values', () => {
    const config = options({ key: json('x') });
    for (const value of [null, 1, 'a', [], {}, true]) expect(verdict(config, { key: value })).to.equal(null);
  });

  it('mapOptions and listOptions describe modules whose options are a map or a list', () => {
    expect(verdict(mapOptions('x', text()), { any: 'a' })).to.equal(null);
    expect(verdict(mapOptions('x', text()), { any: 1 })).to.match(/^apps\.sample\.any: must be string/);
    expect(verdict(listOptions('x', text()), ['a'])).to.equal(null);
    expect(verdict(listOptions('x', text()), [1])).to.match(/^apps\.sample\[0\]: must be string/);
  });

  it('the options builder allows @id as a string or number', () => {
    expect(verdict(options({}), { '@id': 'a' })).to.equal(null);
    expect(verdict(options({}), { '@id': 1 })).to.equal(null);
    expect(verdict(options({}), { '@id': true })).to.match(/^apps\.sample\["?@id"?\]|^apps\.sample\.@id/);
  });

  it('the option builders create JSON Schema 2020-12 with help and extra keywords', () => {
    const config = options({
      a: string('Help of a.', { examples: ['x'] }),
      b: duration('Help of b.'),
      c: inlineModule('Help of c.', parts, 'part', { default: { part: 'one' } }),
      d: moduleSets('Help of d.', parts),
      e: moduleMap('Help of e.', parts),
      f: list('Help of f.', text({ pattern: '^x' })),
    });
    expect(JSON.parse(JSON.stringify(config))).to.deep.equal({
      type: 'object',
      additionalProperties: false,
      properties: {
        '@id': { anyOf: [{ type: 'string' }, { type: 'number' }] },
        a: { anyOf: [{ type: 'string', description: 'Help of a.', examples: ['x'] }, { type: 'null' }] },
        b: {
          anyOf: [
            {
              anyOf: [{ type: 'integer' }, { type: 'string' }],
              description: 'Help of b. Nanoseconds, or a string such as "1m30s".',
            },
            { type: 'null' },
          ],
        },
        c: {
          description: 'Help of c.',
          type: 'object',
          'x-module': { namespace: 'test.parts', kind: 'inline', key: 'part' },
          default: { part: 'one' },
        },
        d: {
          anyOf: [
            { description: 'Help of d.', type: 'array', 'x-module': { namespace: 'test.parts', kind: 'sets' } },
            { type: 'null' },
          ],
        },
        e: {
          anyOf: [
            { description: 'Help of e.', type: 'object', 'x-module': { namespace: 'test.parts', kind: 'map' } },
            { type: 'null' },
          ],
        },
        f: {
          anyOf: [
            { description: 'Help of f.', type: 'array', items: { type: 'string', pattern: '^x' } },
            { type: 'null' },
          ],
        },
      },
    });
    expect(new Ajv2020({ strict: false }).validateSchema(config)).to.equal(true);
  });

  it('the options builder requires keys that are not optional', () => {
    const config = options({ name: text(), help: string('x') });
    expect(JSON.parse(JSON.stringify(config)))
      .to.have.property('required')
      .that.deep.equals(['name']);
    expect(verdict(config, { name: 'a' })).to.equal(null);
    expect(verdict(config, {})).to.match(/required property 'name'/);
  });
});
