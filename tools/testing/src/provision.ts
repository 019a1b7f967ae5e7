/** Provisions modules of any namespace, as their host would. */
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

/** Options of {@link provisionNamed} and {@link provisionMap}. */
export interface HostOptions {
  /** Packages under test. */
  readonly register: readonly Register[];
  /** Roles of the process. Default: control and traffic, as with `--workers 0`. */
  readonly roles?: Roles;
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
  /** Storage of the configuration. It also serves as the `memory` module. */
  readonly storage?: Storage;
  /** Additional entries for the document's `apps`. */
  readonly apps?: JsonObject;
  readonly log?: Logger;
}

export interface ProvisionOptions extends HostOptions {
  /** Option that contains the module name, such as `provider`. */
  readonly key: string;
}

/** One or more provisioned modules. Close the object at the end of the test. */
export interface Provisioned<T> {
  readonly instance: T;
  close(): Promise<void>;
}

/** Provisions the module specified by `config`. Error messages refer to it as `apps.host.module`. */
export function provision<T>(
  of: Namespace<T>,
  config: JsonObject,
  settings: ProvisionOptions,
): Promise<Provisioned<T>> {
  return host((context, node) => context.loadInline(of, node, settings.key, 'module'), config, settings);
}

/** Provisions a module by name. Error messages refer to its options as `apps.host.module`. */
export function provisionNamed<T>(
  of: Namespace<T>,
  name: string,
  config: Json,
  settings: HostOptions,
): Promise<Provisioned<T>> {
  return host((context, node) => context.loadNamed(of, name, node, 'module'), config, settings);
}

/** Provisions modules by name. Error messages refer to their map as `apps.host.module`. */
export function provisionMap<T>(
  of: Namespace<T>,
  modules: JsonObject,
  settings: HostOptions,
): Promise<Provisioned<ReadonlyMap<string, T>>> {
  return host((context, node) => context.loadMap(of, node as JsonObject, 'module'), modules, settings);
}

/** Starts an app that loads the modules under test. */
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
      config: options({ module: json('The module under test.') }),
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

/** Returns the error message of the expected provisioning failure. */
export async function refusal<T>(of: Namespace<T>, config: JsonObject, settings: ProvisionOptions): Promise<string> {
  try {
    const provisioned = await provision(of, config, settings);
    await provisioned.close();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('provisioning succeeded, but was expected to fail');
}
