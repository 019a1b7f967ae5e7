/** Whether a third-party package is made for the modules' API of this server. */
import { SluiceError } from '@sluice/base';
import type { ModuleSource } from './module-source.ts';

/**
 * Compares what the package has in `peerDependencies` for `@sluice/module` with the version of this server. An error of code
 * `ERR_MODULE_API` if they do not fit. A package that says nothing is loaded. Called before any code of the package runs.
 */
export async function checkApi({ package: name, version, api }: ModuleSource): Promise<void> {
  if (api === null) return;
  const [{ default: validRange }, { default: satisfies }, { apiVersion }] = await Promise.all([
    import('semver/ranges/valid.js'),
    import('semver/functions/satisfies.js'),
    import('@sluice/module'),
  ]);
  const fail = (message: string): never => {
    throw new SluiceError('ERR_MODULE_API', message, { where: `module package ${name}` });
  };
  const range = JSON.stringify(api);
  if (validRange(api) === null)
    fail(`${range} in its peerDependencies is not a range of versions of @sluice/module, such as "^${apiVersion}"`);
  if (!satisfies(apiVersion, api))
    fail(
      `version ${version} is made for @sluice/module ${range}, and this server has ${apiVersion}: install a version of the package that is made for it`,
    );
}
