/** Loads the modules of a package again and again into one process, each time with another mutant. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from '../load-mutant.ts';
import { applyMutation } from '../mutate.ts';

/** Of the URLs of modules, to have one for each load. */
const marker = '?load=';

/** What is imported after {@link begin} is loaded again, of the package and of those that depend on it; other packages once. */
export class FreshModules {
  /** Without their types, which takes longer than to compile them. */
  readonly #stripped = new Map<string, string>();
  #load = 0;
  #mutant: MutantInFile | undefined;

  /** `prefixes`: the URLs of the folders of these packages, with a slash at the end. */
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

  /** From now on modules are fresh, with `mutant` in one of them. */
  begin(mutant?: MutantInFile): void {
    this.#load++;
    this.#mutant = mutant;
  }

  /** The URL of a file in this load. */
  urlOf(url: string): string {
    return `${url}${marker}${this.#load}`;
  }

  /** The URL of a file without the marker, if it is one of this load. */
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
