/** Loads third-party packages of modules into a thread. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMistake, placeOf, type Register, type Registry } from '@sluice/registry';
import { messageOf, SluiceError } from '@sluice/base';
import { partOfServer } from '../installation.ts';
import { apiErrorOf } from './check-api.ts';
import type { ModuleSource } from './module-source.ts';

let hooked = false;

/**
 * Runs the `register` of each package. Errors have code `ERR_MODULE_LOAD` and name the package. A package for another version of
 * the modules' API is left out, so that it cannot keep a server from starting whose configuration does not use it; returns why, for
 * each of them.
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
    const at = error instanceof Error && isMistake(error) ? placeOf(error, source.package) : null;
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
  throw new SluiceError('ERR_MODULE_LOAD', `${wrong}, unlike its package.json`, {
    where: `module package ${source.package}`,
  });
}

/** The `register` that the file of a package exports. */
export async function importRegister(entry: string): Promise<Register> {
  shareOurPackages();
  const { register } = (await import(pathToFileURL(entry).href)) as { register?: Register };
  if (typeof register !== 'function')
    throw new SluiceError('ERR_MODULE_LOAD', `${entry} does not export register(registry)`);
  return register;
}

/** Whatever a third-party package has installed beside it, `@sluice/…` means the server's own copy. */
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
        // None of the server's packages: another of that scope, which the package must bring itself.
        return next(specifier, context);
      }
    },
  });
}
