/** Modules of any namespace, provisioned as their host would do it. */
import {
  appToken,
  apps,
  defineModule,
  json,
  options,
  Registry,
  type Context,
  type Namespace,
  type Register,
  type Roles,
  type Token,
} from '@sluice/registry';
import { Runtime, storageSection } from '@sluice/reconciler';
import { silentLogger, type Json, type JsonObject, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import { registerStorage } from './memory-storage.ts';

/** What a test gives to {@link provisionNamed} and {@link provisionMap}. */
export interface HostOptions {
  /** The packages under test. */
  readonly register: readonly Register[];
  /** Default: control and traffic, as with `--workers 0`. */
  readonly roles?: Roles;
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
  /** The storage of the configuration, and the module `memory`. */
  readonly storage?: Storage;
  /** Further parts of the document's `apps`. */
  readonly apps?: JsonObject;
  readonly log?: Logger;
}

/** What a test gives to {@link provision}. */
export interface ProvisionOptions extends HostOptions {
  /** The key that names the module in its options, such as `provider`. */
  readonly key: string;
}

/** A module, or several, in force. Close it at the end of the test. */
export interface Provisioned<T> {
  readonly instance: T;
  close(): Promise<void>;
}

/** Provisions the module that `config` names; its place in messages is `apps.host.module`. */
export function provision<T>(
  of: Namespace<T>,
  config: JsonObject,
  settings: ProvisionOptions,
): Promise<Provisioned<T>> {
  return host((context, node) => context.loadInline(of, node, settings.key, 'module'), config, settings);
}

/** Provisions the module of a name; the place of its options is `apps.host.module`. */
export function provisionNamed<T>(
  of: Namespace<T>,
  name: string,
  config: Json,
  settings: HostOptions,
): Promise<Provisioned<T>> {
  return host((context, node) => context.loadNamed(of, name, node, 'module'), config, settings);
}

/** Provisions modules by their names; the place of the map is `apps.host.module`. */
export function provisionMap<T>(
  of: Namespace<T>,
  modules: JsonObject,
  settings: HostOptions,
): Promise<Provisioned<ReadonlyMap<string, T>>> {
  return host((context, node) => context.loadMap(of, node as JsonObject, 'module'), modules, settings);
}

/** Puts an app in force that loads what is under test. */
async function host<T>(
  load: (context: Context, node: Json) => Promise<T>,
  config: Json,
  {
    register,
    roles = { control: true, traffic: true },
    services,
    storage,
    apps: more,
    log = silentLogger,
  }: HostOptions,
): Promise<Provisioned<T>> {
  const hostToken = appToken<{ readonly instance: T }>('host');
  const registry = new Registry();
  if (storage === undefined) registry.addSection(storageSection);
  else registry.use(registerStorage(storage));
  for (const each of register) registry.use(each);
  registry.add(
    defineModule(apps, {
      name: 'host',
      help: 'Hosts the modules under test.',
      config: options({ module: json('What is under test.') }),
      provision: async (own, context) => ({ instance: await load(context, own.module ?? null) }),
    }),
  );
  const runtime = new Runtime({ registry, roles, log, check: true, ...(services === undefined ? {} : { services }) });
  const document: Json = {
    ...(storage === undefined ? {} : { storage: { module: 'memory' } }),
    apps: { ...more, host: { module: config } },
  };
  try {
    runtime.commit(await runtime.prepare(document));
  } catch (error) {
    await runtime.close();
    throw error;
  }
  const app = runtime.app(hostToken);
  if (app === null) throw new Error('the host was not provisioned');
  return { instance: app.instance, close: () => runtime.close() };
}

/** The message of the error that provisioning ends with. */
export async function refusal<T>(of: Namespace<T>, config: JsonObject, settings: ProvisionOptions): Promise<string> {
  try {
    const provisioned = await provision(of, config, settings);
    await provisioned.close();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}
