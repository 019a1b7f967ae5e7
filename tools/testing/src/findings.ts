/** Returns the findings that a dry run reports when package checks examine a configuration. */
import { listenersToken, reusePortToken, type Listener } from '@sluice/http-app';
import { Registry, ResourcePool, type Finding, type Register, type Token } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type Json } from '@sluice/base';

/** Performs a dry run of a configuration using only the modules and checks of the given packages. */
export async function findingsOf(document: Json, register: readonly Register[]): Promise<readonly Finding[]> {
  const registry = new Registry();
  for (const each of register) registry.use(each);
  const services = new Map<Token<unknown>, unknown>([
    [listenersToken, new ResourcePool<Listener>()],
    [reusePortToken, false],
  ]);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger, services });
  try {
    return (await runtime.rehearse(document)).warnings;
  } finally {
    await runtime.close();
  }
}
