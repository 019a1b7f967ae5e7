/** One module of any namespace, provisioned as its host would do it. */
import {
  appToken,
  apps,
  defineModule,
  json,
  options,
  Registry,
  Runtime,
  silentLogger,
  storageSection,
  type Json,
  type JsonObject,
  type Logger,
  type Namespace,
  type Register,
  type Roles,
  type Storage,
  type Token,
} from '@sluice/registry';
import { registerStorage } from './memory-storage.ts';

/** What a test gives to {@link provision}. */
export interface ProvisionOptions {
  /** The packages under test. */
  readonly register: readonly Register[];
  /** The key that names the module in its options, such as `provider`. */
  readonly key: string;
  /** Default: control and traffic, as with `--workers 0`. */
  readonly roles?: Roles;
  readonly services?: ReadonlyMap<Token<unknown>, unknown>;
  /** The storage of the configuration, and the module `memory`. */
  readonly storage?: Storage;
  /** Further parts of the document's `apps`. */
  readonly apps?: JsonObject;
  readonly log?: Logger;
}

/** A module that is in force. Close it at the end of the test. */
export interface Provisioned<T> {
  readonly instance: T;
  close(): Promise<void>;
}

/** Provisions the module that `config` names; its place in messages is `apps.host.module`. */
export async function provision<T>(
  of: Namespace<T>,
  config: JsonObject,
  {
    register,
    key,
    roles = { control: true, traffic: true },
    services,
    storage,
    apps: more,
    log = silentLogger,
  }: ProvisionOptions,
): Promise<Provisioned<T>> {
  const hostToken = appToken<{ readonly instance: T }>('host');
  const registry = new Registry();
  if (storage === undefined) registry.addSection(storageSection);
  else registry.use(registerStorage(storage));
  for (const each of register) registry.use(each);
  registry.add(
    defineModule(apps, {
      name: 'host',
      help: 'Hosts the module under test.',
      config: options({ module: json('The module.') }),
      provision: async (host, context) => ({
        instance: await context.loadInline(of, host.module ?? {}, key, 'module'),
      }),
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
  const host = runtime.app(hostToken);
  if (host === null) throw new Error('the host was not provisioned');
  return { instance: host.instance, close: () => runtime.close() };
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
