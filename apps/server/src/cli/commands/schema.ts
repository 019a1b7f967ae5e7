/** `sluice schema`. */
import { configSchema } from '@sluice/registry';
import { describedRegistry } from '../../configuration/described-registry.ts';

/** Prints the JSON Schema of the configuration. */
export async function schema({ module }: { readonly module?: readonly string[] }): Promise<number> {
  process.stdout.write(`${JSON.stringify(configSchema(await describedRegistry(module)), null, 2)}\n`);
  return 0;
}
