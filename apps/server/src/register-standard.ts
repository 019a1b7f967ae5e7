/** The list of packages that ship with the server. Every thread registers them all, in this order. */
import type { Register, Registry } from '@sluice/registry';
import { version } from './version.ts';

/** Packages of ours, and how to get at their modules. */
const packages: Readonly<Record<string, () => Promise<{ register: Register }>>> = {
  '@sluice/admin-api': () => import('@sluice/admin-api'),
  '@sluice/http-app': async () => {
    const { httpAppModule } = await import('@sluice/http-app');
    return { register: (registry) => void registry.add(httpAppModule) };
  },
  '@sluice/http.handlers': () => import('@sluice/http.handlers'),
  '@sluice/http.matchers': () => import('@sluice/http.matchers'),
  '@sluice/http.ip_sources': () => import('@sluice/http.ip_sources'),
  '@sluice/http.authentication.providers': () => import('@sluice/http.authentication.providers'),
  '@sluice/http.authentication.hashes': () => import('@sluice/http.authentication.hashes'),
  '@sluice/caddy.adapters': () => import('@sluice/caddy.adapters'),
};

/** Registers every module that ships with the server. */
export async function registerStandard(registry: Registry): Promise<void> {
  const loaded = await Promise.all(Object.entries(packages).map(async ([name, load]) => ({ name, ...(await load()) })));
  for (const { name, register } of loaded) registry.use(register, { package: name, version, standard: true });
}
