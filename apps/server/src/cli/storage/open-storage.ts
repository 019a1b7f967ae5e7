/** Opens the storage in a configuration for commands. */
import { createLogger, isObject, own } from '@sluice/base';
import { storages, storageToken, type Storage } from '@sluice/contracts';
import { Runtime, storageSection } from '@sluice/reconciler';
import { Registry } from '@sluice/registry';
import { loadEnvFiles } from '../../process/env-file.ts';
import { readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';

/** Options of `sluice storage` commands. */
export interface StorageOptions {
  readonly config: string;
  readonly adapter?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
}

/** Calls `use` with the storage of a configuration file, then closes the storage. Provisions no other parts of the configuration. */
export async function withStorage(options: StorageOptions, use: (storage: Storage) => Promise<void>): Promise<void> {
  loadEnvFiles(options.envfile ?? []);
  const known = await standardRegistry(options.module);
  const { document } = await readConfig({ file: options.config, adapter: options.adapter }, async () => known);
  const registry = new Registry().addSection(storageSection);
  for (const module of known.inNamespace(storages.id)) registry.add(module);
  const log = createLogger(new TerminalSink(standardError('warn')));
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log });
  const section = isObject(document) ? (own(document, 'storage') ?? {}) : {};
  runtime.commit(await runtime.prepare({ storage: section }));
  try {
    await use(runtime.app(storageToken) as Storage);
  } finally {
    await runtime.close();
  }
}
