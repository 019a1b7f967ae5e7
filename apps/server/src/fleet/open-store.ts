/** Opens a fleet's store before there is a configuration, without starting other parts of a server. */
import { SluiceError, type Logger } from '@sluice/base';
import { Runtime } from '@sluice/reconciler';
import { fleetStores, type FleetStore } from '@sluice/fleet';
import { appToken, apps, defineModule, inlineModule, options, Registry, type AppToken } from '@sluice/registry';
import type { FleetSettings } from './settings.ts';

/** A fleet store, with a function that releases its resources. */
export interface OpenStore {
  readonly store: FleetStore;
  close(): Promise<void>;
}

interface Section {
  readonly store: FleetStore;
}

const token: AppToken<Section> = appToken<Section>('fleet');

/** Opens a fleet store. The store's server need not be available. */
export async function openStore({ store, cluster }: FleetSettings, known: Registry, log: Logger): Promise<OpenStore> {
  const section = defineModule(apps, {
    name: 'fleet',
    help: 'Fleet store.',
    config: options({
      store: inlineModule(
        'Store for the fleet document, which is the configuration that all members share.',
        fleetStores,
        'engine',
      ),
    }),
    async provision(config, context): Promise<Section> {
      if (config.store === undefined) throw new SluiceError('ERR_FLEET_SETTINGS', 'the fleet store is not configured');
      const factory = await context.loadInline(fleetStores, config.store, 'engine', 'store');
      return { store: factory.open(cluster) };
    },
  });
  const registry = new Registry().addSection(section);
  for (const module of known.inNamespace(fleetStores.id)) registry.add(module);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log });
  runtime.commit(await runtime.prepare({ fleet: { store } }));
  const made = runtime.app(token);
  if (made === null) throw new SluiceError('ERR_FLEET_SETTINGS', 'the fleet store is not configured');
  return { store: made.store, close: () => runtime.close() };
}
