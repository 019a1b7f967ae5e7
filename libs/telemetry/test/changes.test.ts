import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { apps, defineModule, json, options, Registry, type Token } from '@sluice/registry';
import { EventHub, eventHubToken, Metrics, metricsToken, register, type ServerEvent } from '@sluice/telemetry';
import { ControlBus } from '@sluice/threads';
import { registerLogModules } from './log-modules.ts';

describe('telemetry of configuration changes', () => {
  const app = defineModule(apps, {
    name: 'app',
    help: 'Refuses the value `bad`.',
    config: options({ value: json('Anything.') }),
    provision(config, context) {
      if (config.value === 'bad') throw context.error('refused');
      return {};
    },
  });
  const valued = (value: Json): Json => ({ apps: { app: { value } } });
  const refused = (error: unknown): string => (error as Error).message;

  function makeEngine(services: [Token<unknown>, unknown][]): Reconciler {
    const registry = new Registry().use(register).use(registerLogModules).add(app);
    const roles = { control: true, traffic: true };
    const runtime = new Runtime({ registry, roles, log: silentLogger, services: new Map(services) });
    return new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  }

  it('emitChanges emits events for applied and rejected changes', async () => {
    const hub = new EventHub(new ControlBus(silentLogger), silentLogger);
    const events: ServerEvent[] = [];
    hub.handle((event) => void events.push(event));
    const reconciler = makeEngine([[eventHubToken, hub]]);
    await reconciler.load(valued('a'));
    await reconciler.load(valued('bad')).catch(refused);
    await reconciler.load(valued('b'), { origin: 'file' });
    expect(events.map(({ origin, name, data }) => [origin, name, data])).to.deep.equal([
      ['config', 'config_changed', { revision: 1, by: 'load', paths: [''] }],
      ['config', 'config_refused', { error: 'apps.app: refused' }],
      ['config', 'config_changed', { revision: 2, by: 'file', paths: ['/apps/app/value'] }],
    ]);
    await reconciler.close();
  });

  it('emitChanges lists at most one hundred paths', async () => {
    const hub = new EventHub(new ControlBus(silentLogger), silentLogger);
    const paths: unknown[] = [];
    hub.handle(({ data }) => void paths.push(data['paths']));
    const reconciler = makeEngine([[eventHubToken, hub]]);
    const numbers = (add: number): Json => Object.fromEntries(Array.from({ length: 150 }, (_, i) => [i, i + add]));
    await reconciler.load(valued(numbers(0)));
    await reconciler.load(valued(numbers(1)));
    expect(paths[1]).to.deep.equal(Array.from({ length: 100 }, (_, i) => `/apps/app/value/${i}`));
    await reconciler.close();
  });

  it('countReloads updates the reload metrics', async () => {
    const metrics = new Metrics();
    const reconciler = makeEngine([[metricsToken, metrics]]);
    const values = (): number[] => metrics.snapshot().map(({ series }) => series[0]?.value ?? -1);
    expect(metrics.snapshot().map(({ name, type }) => [name, type])).to.deep.equal([
      ['caddy_config_last_reload_successful', 'gauge'],
      ['caddy_config_last_reload_success_timestamp_seconds', 'gauge'],
    ]);
    expect(values()).to.deep.equal([0, 0]);
    const before = Date.now() / 1000;
    await reconciler.load(valued('a'));
    const [successful, at] = values();
    expect(successful).to.equal(1);
    expect(at).to.be.within(before, Date.now() / 1000);
    await reconciler.load(valued('bad')).catch(refused);
    expect(values()).to.deep.equal([0, at]);
    await reconciler.close();
  });

  it('configuration changes succeed in a thread without events and metrics', async () => {
    const reconciler = makeEngine([]);
    expect((await reconciler.load(valued('a'))).changed).to.equal(true);
    expect(await reconciler.load(valued('bad')).catch(refused)).to.equal('apps.app: refused');
    await reconciler.close();
  });
});
