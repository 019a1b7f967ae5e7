/** Loads the modules of a package repeatedly into the same process, each time with a different mutant. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from '../load-mutant.ts';
import { applyMutation } from '../mutate.ts';

/** Query marker that makes module URLs unique for each load. */
const marker = '?load=';

/**
 * Reloads the modules imported after {@link begin} if they belong to the package or its dependents. Modules of other packages are loaded
 * once.
 */
export class FreshModules {
  /** Cache of type-stripped sources. Stripping types takes longer than compiling. */
  readonly #stripped = new Map<string, string>();
  #load = 0;
  #mutant: MutantInFile | undefined;

  /** `prefixes` are the URLs of the package directories, with a trailing slash. */
  constructor(prefixes: readonly string[]) {
    registerHooks({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        const { url } = resolved;
        if (!url.endsWith('.ts') || !prefixes.some((prefix) => url.startsWith(prefix))) return resolved;
        return { ...resolved, url: this.urlOf(url), format: 'module', shortCircuit: true };
      },
      load: (url, context, next) => {
        const end = url.indexOf(marker);
        if (end < 0) return next(url, context);
        return { format: 'module', source: this.#sourceOf(fileURLToPath(url.slice(0, end))), shortCircuit: true };
      },
    });
  }

  /** Starts a fresh load of the modules, with `mutant` applied to one of them. */
  begin(mutant?: MutantInFile): void {
    this.#load++;
    this.#mutant = mutant;
  }

  /** Returns the URL of a file in the current load. */
  urlOf(url: string): string {
    return `${url}${marker}${this.#load}`;
  }

  fileOf(url: string): string | null {
    const end = url.indexOf(marker);
    return end < 0 || url.slice(end) !== `${marker}${this.#load}` ? null : url.slice(0, end);
  }

  #sourceOf(path: string): string {
    const mutant = this.#mutant;
    if (mutant?.file === path) return stripTypeScriptTypes(applyMutation(readFileSync(path, 'utf8'), mutant));
    let source = this.#stripped.get(path);
    if (source === undefined) {
      source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
      this.#stripped.set(path, source);
    }
    return source;
  }
}
