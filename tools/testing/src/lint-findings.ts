/** Returns the findings of `sluice lint` for a configuration, using the modules and checks of the server and of a package. */
import { silentLogger, type Json } from '@sluice/base';
import { lint, Registry, type Finding, type Register } from '@sluice/registry';
import { useStandard } from './standard.ts';

export async function lintFindings(document: Json, register: readonly Register[]): Promise<readonly Finding[]> {
  const registry = new Registry();
  await useStandard(registry);
  for (const each of register) registry.use(each);
  return lint(registry, document, silentLogger);
}
