/** Configuration adapters: modules that turn other formats into the native JSON. */
import { checkIntended } from './config/intended.ts';
import { isArray, isObject, type Json } from './config/json.ts';
import { formatWhere, maxDepth } from './config/path.ts';
import { isSluiceError, messageOf, SluiceError } from './errors.ts';
import { silentLogger, type Logger } from './logging/logger.ts';
import { defineModule } from './modules/descriptor.ts';
import { apps, namespace, type Namespace } from './modules/namespace.ts';
import { Registry, registryToken } from './modules/registry.ts';
import { Runtime } from './reconcile/runtime.ts';
import { options } from './schema/options.ts';

/** Something an adapter wants to be known, although it could do its work. */
export interface AdapterWarning {
  /** Name of the file, empty where the configuration did not come from one. */
  readonly file: string;
  /** Counted from 1; 0 where the warning is about the whole. */
  readonly line: number;
  readonly message: string;
}

/** What an adapter is told beside the text. */
export interface AdapterOptions {
  /** Name of the file that the text came from, for warnings. */
  readonly file?: string;
}

/** What an adapter makes of a text. */
export interface AdaptedConfig {
  readonly config: Json;
  readonly warnings: readonly AdapterWarning[];
}

/** Turns a configuration in its format into native JSON. What it can't read it refuses with an error that says where. */
export interface ConfigAdapter {
  adapt(body: Buffer | string, options: AdapterOptions): AdaptedConfig | Promise<AdaptedConfig>;
}

/**
 * The namespace of adapters. `Content-Type: text/<name>` or `application/<name>` of the admin API and `--adapter` of
 * the command line choose one. An adapter is provisioned with empty options for each text, and let go of afterwards.
 */
export const configAdapters: Namespace<ConfigAdapter> = namespace<ConfigAdapter>('caddy.adapters');

/** Adapts a text. Errors, also that of an unknown adapter, have status 400. */
export async function adaptConfig(
  registry: Registry,
  name: string,
  body: Buffer | string,
  adapterOptions: AdapterOptions = {},
  log: Logger = silentLogger,
): Promise<AdaptedConfig> {
  if (registry.find(configAdapters, name) === undefined) {
    const known = registry.inNamespace(configAdapters.id).map((module) => module.name);
    throw new SluiceError(
      'ERR_ADAPTER_UNKNOWN',
      `unknown config adapter ${JSON.stringify(name)}; there is ${known.join(', ') || 'none'}`,
      { status: 400 },
    );
  }
  const { adapter, release } = await provisionAdapter(registry, name, log);
  try {
    const adapted = await adapter.adapt(body, adapterOptions);
    checkJson(adapted.config, []);
    checkIntended(body, adapted.config, 'the configuration');
    return adapted;
  } catch (error) {
    if (isSluiceError(error) && (error.code === 'ERR_ADAPTER' || error.code === 'ERR_CONFIG_EMPTY')) throw error;
    throw new SluiceError('ERR_ADAPTER', `adapting the configuration with ${name}: ${messageOf(error)}`, {
      status: 400,
      cause: error,
    });
  } finally {
    await release();
  }
}

/** Adapters are modules like others: they get a context, and what they acquire through it is let go of. */
async function provisionAdapter(
  registry: Registry,
  name: string,
  log: Logger,
): Promise<{ adapter: ConfigAdapter; release: () => Promise<void> }> {
  const loaded: ConfigAdapter[] = [];
  const host = defineModule(apps, {
    name: 'adapter',
    help: 'Hosts one adapter.',
    config: options({}),
    async provision(_config, context) {
      loaded.push(await context.loadNamed(configAdapters, name, {}));
      return {};
    },
  });
  const modules = new Registry().add(host);
  for (const module of registry.inNamespace(configAdapters.id)) modules.add(module);
  const runtime = new Runtime({
    registry: modules,
    roles: { control: true, traffic: false },
    log,
    services: new Map([[registryToken, registry]]),
  });
  const candidate = await runtime.prepare({ apps: { adapter: {} } });
  return { adapter: loaded[0] as ConfigAdapter, release: () => runtime.abort(candidate) };
}

/** Refuses what JSON can't hold, wherever an adapter took it from. */
function checkJson(value: unknown, path: string[]): void {
  if (path.length > maxDepth) throw new Error(`the configuration is nested deeper than ${maxDepth}`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  const node = value as Json;
  if (!isArray(node) && !isObject(node)) {
    throw new Error(`${formatWhere(path) || 'the configuration'} is ${String(value)}, which JSON has no value for`);
  }
  for (const [key, child] of Object.entries(node)) {
    path.push(key);
    checkJson(child, path);
    path.pop();
  }
}
