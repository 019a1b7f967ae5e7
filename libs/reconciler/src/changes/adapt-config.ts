/** Adapts configurations from other formats to JSON, using modules in the namespace `caddy.adapters`. */
import {
  configAdapters,
  type AdaptedConfig,
  type AdapterOptions,
  type ConfigAdapter,
  type ConvertedConfig,
} from '@sluice/contracts';
import {
  isArray,
  confine,
  isObject,
  type Json,
  formatWhere,
  maxDepth,
  isSluiceError,
  messageOf,
  SluiceError,
  silentLogger,
  type Logger,
  itemAt,
} from '@sluice/base';
import { apps, defineModule, options, Registry, registryToken } from '@sluice/registry';
import { DocumentSources, type SourceText } from './document-sources.ts';
import { Runtime } from '../reconcile/runtime.ts';

export interface AdaptSettings {
  readonly options?: AdapterOptions;
  readonly log?: Logger;
}

/** Adapts configuration text. Errors, including an unknown adapter, have status 400. */
export async function adaptConfig(
  registry: Registry,
  name: string,
  body: Buffer | string,
  { options: adapterOptions = {}, log = silentLogger }: AdaptSettings = {},
): Promise<AdaptedConfig> {
  checkKnown(registry, name);
  const { adapter, release } = await provisionAdapter(registry, name, log);
  try {
    const adapted = await adapter.adapt(body, adapterOptions);
    checkJson(adapted.config, []);
    return adapted;
  } catch (error) {
    if (isSluiceError(error) && error.code === 'ERR_ADAPTER') throw error;
    throw new SluiceError('ERR_ADAPTER', `adapting the configuration with ${name}: ${messageOf(error)}`, {
      status: 400,
      cause: error,
    });
  } finally {
    await release();
  }
}

/** Converts a document to an adapter's format. Returns `null` if the adapter doesn't support conversion. */
export async function convertConfig(registry: Registry, name: string, document: Json): Promise<ConvertedConfig | null> {
  checkKnown(registry, name);
  const { adapter, release } = await provisionAdapter(registry, name, silentLogger);
  try {
    // The adapter parses its own output, which never contains imports.
    return adapter.convert === undefined ? null : await confine(() => adapter.convert?.(document) ?? null);
  } finally {
    await release();
  }
}

function checkKnown(registry: Registry, name: string): void {
  if (registry.find(configAdapters, name) !== undefined) return;
  const known = registry.inNamespace(configAdapters.id).map((module) => module.name);
  throw new SluiceError(
    'ERR_ADAPTER_UNKNOWN',
    `unknown config adapter ${JSON.stringify(name)}; available: ${known.join(', ') || 'none'}`,
    { status: 400 },
  );
}

/** Returns the source locations of an adapted document. Returns `null` if the adapter doesn't provide locations. */
export function sourcesOf({ config, sources }: AdaptedConfig, text: SourceText | null = null): DocumentSources | null {
  return sources === undefined ? null : new DocumentSources(config, sources, text);
}

/** Provisions an adapter like a regular module: it gets a context, and its resources are released afterwards. */
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
  return { adapter: itemAt(loaded, 0), release: () => runtime.abort(candidate) };
}

/** Throws if an adapter returned values that JSON can't represent. */
function checkJson(value: unknown, path: string[]): void {
  if (path.length > maxDepth) throw new Error(`the configuration is nested more than ${maxDepth} levels deep`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  const node = value as Json;
  if (!isArray(node) && !isObject(node)) {
    throw new Error(`${formatWhere(path) || 'the configuration'} is ${String(value)}, which JSON cannot represent`);
  }
  for (const [key, child] of Object.entries(node)) {
    path.push(key);
    checkJson(child, path);
    path.pop();
  }
}
