/** Checks whether a third-party package supports this server's version of the module API. */
import { SluiceError } from '@sluice/base';
import type { ModuleSource } from './module-source.ts';

/**
 * Returns an ERR_MODULE_API error if the package does not support this server's version of `@sluice/module`. Otherwise, returns `null`. The
 * range in the package's `peerDependencies` determines the supported versions.
 *
 * A package without a range is accepted. Call this function before running any code of the package.
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
