/** Adapts Caddyfiles in tests of modules with directives, using all modules of the server. Also converts configurations back to Caddyfiles. */
import type { Json } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import { adaptConfig, convertConfig } from '@sluice/reconciler';
import { Registry, type Register } from '@sluice/registry';
import { useStandard } from './standard.ts';

/** Adapts a Caddyfile. Rejects with an error that contains the position. */
export async function fromCaddyfile(text: string, ...register: readonly Register[]): Promise<Json> {
  return (await adaptConfig(await registryOf(register), 'caddyfile', text)).config;
}

/** Converts a configuration to a Caddyfile. Reports whether the Caddyfile represents the whole configuration. */
export async function asCaddyfile(document: Json, ...register: readonly Register[]): Promise<ConvertedConfig> {
  const converted = await convertConfig(await registryOf(register), 'caddyfile', document);
  if (converted === null) throw new Error('the caddyfile adapter does not support conversion to a Caddyfile');
  return converted;
}

async function registryOf(register: readonly Register[]): Promise<Registry> {
  const registry = new Registry();
  await useStandard(registry);
  for (const each of register) registry.use(each);
  return registry;
}
