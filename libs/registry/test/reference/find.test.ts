import { expect } from 'chai';
import {
  boolean,
  choice,
  defineModule,
  duration,
  inlineModule,
  integer,
  list,
  map,
  moduleMap,
  namespace,
  options,
  Registry,
  strings,
} from '@sluice/registry';
import { findInReference, Reference } from '@sluice/registry/reference';

const apps = namespace<unknown>('');
const handlers = namespace<unknown>('web.handlers');
const coders = namespace<unknown>('web.coders');

function made(): Reference {
  const registry = new Registry();
  const route = options({ handle: inlineModule('What handles it.', handlers, 'handler') });
  registry.add(
    defineModule(apps, {
      name: 'web',
      help: 'An app.',
      config: options({
        servers: map('Servers by name.', options({ routes: list('Routes.', route) })),
        wait: duration('How long.', { default: '1s' }),
      }),
      provision: () => null,
    }),
  );
  registry.add(
    defineModule(handlers, {
      name: 'encode',
      help: 'Encodes.',
      config: options({ coders: moduleMap('Which.', coders), types: strings('Types.') }),
      provision: () => null,
    }),
  );
  registry.add(
    defineModule(coders, {
      name: 'gzip',
      help: 'gzip.',
      config: options({
        level: integer('Level.', { default: 4 }),
        mode: choice('Mode.', ['a', 'b']),
        on: boolean('Whether.'),
      }),
      provision: () => null,
    }),
  );
  return new Reference(registry);
}

describe('findInReference', () => {
  const reference = made();

  it('findInReference finds modules, namespaces and the root', () => {
    expect(findInReference(reference, '').kind).to.equal('root');
    expect(findInReference(reference, 'web.handlers')).to.deep.equal({ kind: 'namespace', namespace: 'web.handlers' });
    expect(findInReference(reference, 'web.handlers.encode')).to.have.nested.property('module.help', 'Encodes.');
    expect(findInReference(reference, 'apps.web')).to.have.nested.property('module.id', 'web');
  });

  it('findInReference follows options into hosted modules', () => {
    for (const path of ['web.handlers.encode.gzip.level', 'web.handlers.encode.coders.gzip.level'])
      expect(findInReference(reference, path)).to.deep.include({ kind: 'option', path: 'level' });
    expect(findInReference(reference, 'web.servers.routes.handle.encode.types')).to.include({ path: 'types' });
    expect(findInReference(reference, 'apps/web/servers/*/routes/0')).to.include({ path: 'servers.routes' });
  });

  it('findInReference reports the last known part of a path and the available names', () => {
    expect(findInReference(reference, 'web.handlers.encode.gzp')).to.deep.equal({
      kind: 'unknown',
      part: 'gzp',
      within: 'web.handlers.encode',
      among: ['coders', 'types', 'gzip'],
    });
    expect(findInReference(reference, 'nothing')).to.include({ kind: 'unknown', part: 'nothing', within: '' });
  });
});

describe('Reference', () => {
  const reference = made();

  it('Reference describes option types in words', () => {
    const found = findInReference(reference, 'web');
    const types = found.kind === 'module' ? found.module.options.options.map(({ type }) => type) : [];
    expect(types).to.deep.equal(['object: name → object', 'duration']);
    const gzip = reference.entries.get('web.coders.gzip')?.options.options;
    expect(gzip?.map(({ name, type, default: defaults, values }) => [name, type, defaults, values])).to.deep.equal([
      ['level', 'integer', 4, []],
      ['mode', 'string', undefined, ['a', 'b']],
      ['on', 'boolean', undefined, []],
    ]);
  });

  it('Reference.placesOf returns the locations of modules', () => {
    expect(reference.placesOf('web.handlers')).to.deep.equal([{ host: 'web', path: ['servers', 'routes', 'handle'] }]);
    expect(reference.namespaces()).to.deep.equal(['web.coders', 'web.handlers']);
  });
});
