import { expect } from 'chai';
import {
  choice,
  duration,
  integer,
  list,
  map,
  namespace,
  options,
  inlineModules,
  string,
  weakString,
} from '@sluice/registry';
import { describeOptions } from '../../src/reference/option-reference.ts';
import { Type } from '../../src/schema/type.ts';

describe('describeOptions', () => {
  const things = namespace<object>('test.things');
  const typeOf = (schema: object): string => describeOptions(options({ it: schema as never })).options[0]?.type ?? '';

  const types: [schema: object, type: string][] = [
    [string('A string.'), 'string'],
    [integer('A number.'), 'integer'],
    [duration('How long.'), 'duration'],
    [weakString('A status.'), 'string or number'],
    [list('Strings.', Type.String()), 'list of strings'],
    [list('Lists.', Type.Array(Type.Integer())), 'list of lists of integers'],
    [map('By name.', Type.Number()), 'object: name → number'],
    [Type.Unsafe({ type: ['string', 'null'] }), 'string'],
    [Type.Unsafe({ type: ['string', 'null', 'integer'] }), 'string or integer'],
    [Type.Unsafe({ type: 'array', items: { type: ['boolean', 'null'] } }), 'list of booleans'],
    [Type.Unsafe({}), 'any JSON'],
  ];
  for (const [schema, type] of types)
    it(`describeOptions describes the type ${type}`, () => expect(typeOf(schema)).to.equal(type));

  it('describeOptions returns help, default and nested options', () => {
    const { name, options: described } = describeOptions(
      options({
        mode: choice('How.', ['fast', 'slow'], { default: 'fast' }),
        wait: duration('How long.'),
        rows: list('Rows.', options({ n: integer('A number.') })),
        parts: inlineModules('Parts.', things, 'kind'),
      }),
    );
    expect(name).to.equal('');
    const [mode, wait, rows, parts] = described;
    expect(mode).to.deep.include({
      name: 'mode',
      help: 'How.',
      default: 'fast',
      values: ['fast', 'slow'],
      modules: null,
    });
    expect(wait).to.deep.include({ name: 'wait', help: 'How long.', values: [], options: [] });
    expect(rows?.options.map((each) => [each.name, each.type])).to.deep.equal([['n', 'integer']]);
    expect(parts?.modules).to.include({ namespace: 'test.things', key: 'kind' });
  });
});
