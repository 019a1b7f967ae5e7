/** Findings of `sluice lint` in a configuration, with the server's modules and checks and those of a package. */
import { silentLogger, type Json } from '@sluice/base';
import { lint, Registry, type Finding, type Register } from '@sluice/registry';
import { useStandard } from './standard.ts';

export async function lintFindings(document: Json, register: readonly Register[]): Promise<readonly Finding[]> {
  const registry = new Registry();
  await useStandard(registry);
  for (const each of register) registry.use(each);
  return lint(registry, document, silentLogger);
}
