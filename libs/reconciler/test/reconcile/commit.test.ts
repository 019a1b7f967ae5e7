import { expect } from 'chai';
import { apps, defineModule, options, Registry, string } from '@sluice/registry';
import { createLogger, type LogEntry } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';

/** Returns an app whose commit hook records the app name. The hook throws if the option is set. */
function appNamed(name: string, events: string[]) {
  return defineModule(apps, {
    name,
    help: 'Notes its life.',
    config: options({ at: string('What fails: `commit`.') }),
    provision(config, context) {
      context.onCommit(() => {
        if (config.at === 'commit') throw new Error(`${name} is broken`);
        events.push(`!${name}`);
      });
      context.onRetire(() => void events.push(`~${name}`));
      context.onDispose(() => void events.push(`-${name}`));
      return { name };
    },
  });
}

function setUp(): { runtime: Runtime; events: string[]; entries: LogEntry[] } {
  const events: string[] = [];
  const entries: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  const registry = new Registry().add(appNamed('a', events)).add(appNamed('b', events)).add(appNamed('c', events));
  return {
    runtime: new Runtime({ registry, roles: { control: true, traffic: true }, log }),
    events,
    entries,
  };
}

describe('Runtime.commit', () => {
  it('Runtime.commit continues if a commit hook throws, and logs the path', async () => {
    const { runtime, events, entries } = setUp();
    runtime.commit(await runtime.prepare({ apps: { a: {}, c: { at: 'gone' } } }));
    events.length = 0;
    const next = { apps: { a: { at: 'other' }, b: { at: 'commit' }, c: {} } };
    runtime.commit(await runtime.prepare(next));
    await runtime.settled();
    expect(runtime.config).to.equal(next);
    expect(events).to.include.members(['!a', '!c', '~a', '~c', '-a', '-c']);
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ level: 'error' });
    expect(entries[0]?.fields).to.have.property('where', 'apps.b');
    expect(entries[0]?.fields).to.have.property('error', 'b is broken');
    await runtime.close();
    expect(events.filter((event) => event.startsWith('-'))).to.deep.equal(['-c', '-a', '-c', '-b', '-a']);
  });
});
