/** Caddyfiles in tests of modules that bring a directive: adapted with all modules that ship, and written again. */
import type { Json } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import { adaptConfig, convertConfig } from '@sluice/reconciler';
import { Registry, type Register } from '@sluice/registry';
import { useStandard } from './standard.ts';

/** The configuration that a Caddyfile makes. Rejects with what is wrong with it, and where. */
export async function fromCaddyfile(text: string, ...register: readonly Register[]): Promise<Json> {
  return (await adaptConfig(await registryOf(register), 'caddyfile', text)).config;
}

/** A configuration as a Caddyfile, and whether that says all of it. */
export async function asCaddyfile(document: Json, ...register: readonly Register[]): Promise<ConvertedConfig> {
  const converted = await convertConfig(await registryOf(register), 'caddyfile', document);
  if (converted === null) throw new Error('the adapter of Caddyfiles has no way back');
  return converted;
}

async function registryOf(register: readonly Register[]): Promise<Registry> {
  const registry = new Registry();
  await useStandard(registry);
  for (const each of register) registry.use(each);
  return registry;
}
