import { expect } from 'chai';
import { apps, defineCheck, defineModule, json, namespace, options, Registry } from '@sluice/registry';
import { createLogger, type LogEntry } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';

const parts = namespace<object>('parts');

function sample(): { registry: Registry; runtime: Runtime; entries: LogEntry[] } {
  const host = defineModule(apps, {
    name: 'host',
    help: 'Hosts parts.',
    config: options({ parts: json('Parts by name.') }),
    async provision({ parts: nodes }, context) {
      await context.loadMap(parts, (nodes ?? {}) as never, 'parts');
      return {};
    },
  });
  const part = (name: string) =>
    defineModule(parts, { name, help: 'A part.', config: options({ size: json('Size.') }), provision: () => ({}) });
  const registry = new Registry().add(host).add(part('one')).add(part('two'));
  const entries: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  return { registry, entries, runtime: new Runtime({ registry, roles: { control: true, traffic: false }, log }) };
}

describe('configuration checks', () => {
  const document = { apps: { host: { parts: { one: { size: 0 }, two: { size: 1 } } } } };

  it('configuration checks receive their modules and paths', async () => {
    const { registry, runtime } = sample();
    const seen: string[] = [];
    registry.addCheck(
      defineCheck({
        name: 'all-parts',
        help: 'Sees parts.',
        modules: ['parts.*'],
        check: ({ id, path, node, document: whole }, warn) => {
          expect(whole).to.equal(document);
          seen.push(`${id} ${path.join('/')} ${JSON.stringify(node)}`);
          if (id === 'parts.one') warn('is not a size: make it larger', 'size');
        },
      }),
    );
    registry.addCheck({
      name: 'of-two',
      help: 'Sees one.',
      modules: ['parts.two'],
      check: ({ id }) => void seen.push(id),
    });
    const { warnings } = await runtime.rehearse(document);
    expect(seen).to.deep.equal([
      'parts.one apps/host/parts/one {"size":0}',
      'parts.two apps/host/parts/two {"size":1}',
      'parts.two',
    ]);
    expect(warnings).to.deep.equal([
      {
        check: 'all-parts',
        severity: 'warning',
        path: 'apps.host.parts.one.size',
        message: 'is not a size: make it larger',
      },
    ]);
  });

  it('configuration checks run on modules that a change creates, not on reused modules', async () => {
    const { registry, runtime } = sample();
    const seen: string[] = [];
    registry.addCheck({ name: 'seen', help: '', modules: ['parts.*'], check: ({ id }) => void seen.push(id) });
    runtime.commit(await runtime.prepare(document));
    const { one } = document.apps.host.parts;
    await runtime.rehearse({ apps: { host: { parts: { one, two: { size: 2 } } } } });
    expect(seen).to.deep.equal(['parts.two']);
    await runtime.close();
  });

  it('a dry run succeeds and logs an error if a configuration check throws', async () => {
    const { registry, runtime, entries } = sample();
    registry.addCheck({
      name: 'broken',
      help: '',
      modules: ['parts.one'],
      check: () => {
        throw new Error('a mistake');
      },
    });
    registry.addCheck({
      name: 'works',
      help: '',
      modules: ['parts.one'],
      check: async (_module, warn) => warn('found'),
    });
    const { warnings } = await runtime.rehearse(document);
    expect(warnings.map(({ check }) => check)).to.deep.equal(['works']);
    expect(entries.filter(({ level }) => level === 'error').map(({ fields }) => fields.check)).to.deep.equal([
      'broken',
    ]);
  });

  it('configuration checks must have unique names', () => {
    const check = defineCheck({ name: 'twice', help: '', modules: [], check: () => {} });
    expect(() => new Registry().addCheck(check).addCheck(check)).to.throw('check twice is already registered');
  });
});
