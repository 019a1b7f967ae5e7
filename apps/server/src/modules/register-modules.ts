/** Loads third-party module packages into a thread. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isProgrammingError, placeOf, type Register, type Registry } from '@sluice/registry';
import { messageOf, SluiceError } from '@sluice/base';
import { partOfServer } from '../installation.ts';
import { apiErrorOf } from './check-api.ts';
import type { ModuleSource } from './module-source.ts';

let hooked = false;

/**
 * Runs the `register` function of each package. Errors have the code `ERR_MODULE_LOAD` and contain the package name.
 *
 * Skips packages for other versions of the module API, so that unused packages don't prevent startup. Returns the reasons for skipping
 * packages.
 */
export async function registerModules(
  registry: Registry,
  sources: readonly ModuleSource[],
): Promise<readonly SluiceError[]> {
  const leftOut: SluiceError[] = [];
  for (const source of sources) {
    const error = await apiErrorOf(source);
    if (error === null) await registerModule(registry, source);
    else {
      registry.addUnavailable(source.ids, error.message);
      leftOut.push(error);
    }
  }
  return leftOut;
}

async function registerModule(registry: Registry, source: ModuleSource): Promise<void> {
  const before = new Set(registry.list().map(({ id }) => id));
  try {
    registry.use(await importRegister(source.entry), {
      package: source.package,
      version: source.version,
      standard: false,
    });
  } catch (error) {
    const at = error instanceof Error && isProgrammingError(error) ? placeOf(error, source.package) : null;
    throw new SluiceError('ERR_MODULE_LOAD', `${messageOf(error)}${at === null ? '' : `, at ${at}`}`, {
      where: `module package ${source.package}`,
      cause: error,
    });
  }
  const added = new Set(
    registry
      .list()
      .map(({ id }) => id)
      .filter((id) => !before.has(id)),
  );
  const missing = source.ids.filter((id) => !added.delete(id));
  const wrong = missing.length > 0 ? `does not register ${missing.join(', ')}` : `registers ${[...added].join(', ')}`;
  if (missing.length === 0 && added.size === 0) return;
  throw new SluiceError('ERR_MODULE_LOAD', `${wrong}, which does not match its package.json`, {
    where: `module package ${source.package}`,
  });
}

/** Imports a package and returns its `register` export. */
export async function importRegister(entry: string): Promise<Register> {
  shareOurPackages();
  const { register } = (await import(pathToFileURL(entry).href)) as { register?: Register };
  if (typeof register !== 'function')
    throw new SluiceError('ERR_MODULE_LOAD', `${entry} does not export register(registry)`);
  return register;
}

/** Makes `@sluice/…` imports resolve to the server's own copy, regardless of the packages installed next to a third-party package. */
function shareOurPackages(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      if (!specifier.startsWith('@sluice/')) return next(specifier, context);
      const part = partOfServer(specifier);
      if (part !== null) return { url: part, format: 'module', shortCircuit: true };
      try {
        return next(specifier, { ...context, parentURL: import.meta.url });
      } catch {
        // This package has the same scope but is not part of the server. The third-party package must provide it.
        return next(specifier, context);
      }
    },
  });
}
