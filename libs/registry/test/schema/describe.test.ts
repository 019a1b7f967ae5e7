import { expect } from 'chai';
import {
  boolean,
  choice,
  defineModule,
  describeCommands,
  describeModules,
  inlineModules,
  list,
  map,
  namespace,
  options,
  Registry,
  string,
  text,
} from '@sluice/registry';

const things = namespace<object>('test.things');

describe('describeModules', () => {
  const thing = defineModule(things, {
    name: 'box',
    help: 'Holds others.',
    config: options({
      label: string('What is on it.', { default: 'empty' }),
      size: choice('How big it is.', ['small', 'large']),
      content: inlineModules('What is in it.', things, 'thing'),
      notes: map('Notes by author.', text()),
      parts: list('Its parts.', options({ loose: boolean('Whether it rattles.') })),
    }),
    provision: () => ({}),
  });

  it('describeModules returns help and JSON Schema by module ID, without null alternatives', () => {
    const id = { type: ['string', 'number'] };
    expect(describeModules(new Registry().add(thing))).to.deep.equal({
      'test.things.box': {
        help: 'Holds others.',
        options: {
          type: 'object',
          properties: {
            label: { type: 'string', description: 'What is on it.', default: 'empty' },
            size: { type: 'string', enum: ['small', 'large'], description: 'How big it is.' },
            content: {
              type: 'array',
              description: 'What is in it.',
              items: {
                type: 'object',
                description: '',
                'x-module': { namespace: 'test.things', kind: 'inline', key: 'thing' },
              },
            },
            notes: { type: 'object', description: 'Notes by author.', additionalProperties: { type: 'string' } },
            parts: {
              type: 'array',
              description: 'Its parts.',
              items: {
                type: 'object',
                properties: { loose: { type: 'boolean', description: 'Whether it rattles.' }, '@id': id },
                additionalProperties: false,
              },
            },
            '@id': id,
          },
          additionalProperties: false,
        },
      },
    });
  });

  it('describeModules returns an empty object if there are no modules', () => {
    expect(describeModules(new Registry())).to.deep.equal({});
  });
});

describe('describeCommands', () => {
  it('describeCommands returns help sorted by name, for any order of packages', () => {
    const names = ['sweep', 'adapt', 'trust', 'build'];
    const registry = new Registry();
    registry.hooks.commands.tap('test', (commands) => {
      for (const name of names) commands.add({ name, summary: `Does ${name}.`, options: [] });
    });
    expect(Object.entries(describeCommands(registry))).to.deep.equal(
      ['adapt', 'build', 'sweep', 'trust'].map((name) => [name, { help: `Does ${name}.` }]),
    );
  });
});
