import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { list, map, namespace, options, inlineModule, string, strings, structure, withoutIds } from '@sluice/registry';

const inner = options({ names: map('Names.', options({ tags: strings('Tags.') })), text: string('A text.') });
const schema = options({
  parts: map('Parts.', inner),
  all: list('All.', inner),
  one: structure('One.', inner),
  plain: strings('Texts.'),
  module: inlineModule('A module.', namespace('test.parts'), 'kind'),
});

describe('withoutIds', () => {
  it('withoutIds removes IDs of maps at any depth, and no other IDs', () => {
    const names: Json = { '@id': 3, a: { '@id': 'a', tags: ['@id'] }, b: null };
    const config: Json = {
      parts: { '@id': 'parts', x: { '@id': 'x', names, text: '@id' } },
      all: [{ names }, null, 'text'],
      one: { '@id': 'one', names },
      module: { kind: 'part', names: { '@id': 'inside' } },
    };
    const bare: Json = { a: { '@id': 'a', tags: ['@id'] }, b: null };
    expect(withoutIds(schema, config)).to.deep.equal({
      parts: { x: { '@id': 'x', names: bare, text: '@id' } },
      all: [{ names: bare }, null, 'text'],
      one: { '@id': 'one', names: bare },
      module: { kind: 'part', names: { '@id': 'inside' } },
    });
    expect(config['parts']).to.have.property('@id');
  });

  it('withoutIds returns an object without IDs unchanged, and returns the same copy each time for an object with IDs', () => {
    const clean: Json = { parts: { x: { names: {} } }, all: [{}], one: null, plain: ['a'] };
    expect(withoutIds(schema, clean)).to.equal(clean);
    const x: Json = { names: { '@id': 'n' } };
    const [first, second] = [{ parts: { x } }, { parts: { x, y: {} } }].map((each) => withoutIds(schema, each));
    expect(first).to.deep.equal({ parts: { x: { names: {} } } });
    expect((second as typeof first & { parts: { x: Json } }).parts.x).to.equal(
      (first as { parts: { x: Json } }).parts.x,
    );
  });

  it('withoutIds leaves invalid options to validation', () => {
    for (const odd of [null, 1, 'text', [], { parts: [1], all: {}, one: 'x' }, { parts: null }] as Json[])
      expect(withoutIds(schema, odd)).to.equal(odd);
  });

  it('withoutIds keeps keys that match properties of Object.prototype', () => {
    const config = JSON.parse('{"parts":{"@id":"p","__proto__":{"names":{"@id":"n"}},"toString":{}}}') as Json;
    const bare = JSON.stringify(withoutIds(schema, config));
    expect(bare).to.equal('{"parts":{"__proto__":{"names":{}},"toString":{}}}');
  });
});
