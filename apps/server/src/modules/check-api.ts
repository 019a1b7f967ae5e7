/** Compares the version of the modules' API that a third-party package is made for with that of this server. */
import { SluiceError } from '@sluice/base';
import type { ModuleSource } from './module-source.ts';

/**
 * Returns an error of code `ERR_MODULE_API` if the range that the package has in `peerDependencies` for `@sluice/module` does not
 * include the version of this server, or `null`. A package without a range is accepted. Called before any code of the package runs.
 */
export async function apiErrorOf({
  package: name,
  version,
  api,
}: Pick<ModuleSource, 'package' | 'version' | 'api'>): Promise<SluiceError | null> {
  if (api === null) return null;
  const [{ default: validRange }, { default: satisfies }, { apiVersion }] = await Promise.all([
    import('semver/ranges/valid.js'),
    import('semver/functions/satisfies.js'),
    import('@sluice/module'),
  ]);
  const errorOf = (message: string): SluiceError =>
    new SluiceError('ERR_MODULE_API', message, { where: `module package ${name}` });
  const range = JSON.stringify(api);
  if (validRange(api) === null)
    return errorOf(
      `${range} in its peerDependencies is not a version range of @sluice/module, such as "^${apiVersion}"`,
    );
  if (satisfies(apiVersion, api)) return null;
  return errorOf(
    `version ${version} requires @sluice/module ${range}, but this server has ${apiVersion}: install a compatible version of the package`,
  );
}
