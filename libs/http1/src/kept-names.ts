/**
 * Names of request fields with `_` or `.`. Programs that take fields for variables, such as CGI scripts, turn both signs and the
 * hyphen into the same one, so that `x_user`, `x.user` and `x-user` are one variable for them: whoever may send two of them sets
 * what another party has checked. Only those that a server expects pass, in the expected form alone, and once.
 */
import type { HeaderMap } from './header-map.ts';

/** Reports whether a name has a sign that programs may take for a hyphen. */
export function isIrregular(name: string): boolean {
  return name.includes('_') || name.includes('.');
}

/** Expected names with `_` or `.`, and prefixes of such names. */
export class KeptNames {
  readonly size: number;
  readonly #names: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  /** The same, as programs see them. */
  readonly #variables: ReadonlySet<string>;
  readonly #variablePrefixes: readonly string[];

  /** `expected`: names in lower case; one that ends with `*` stands for all that begin so. */
  constructor(expected: readonly string[]) {
    const names = expected.filter((name) => !name.endsWith('*'));
    this.size = expected.length;
    this.#names = new Set(names);
    this.#prefixes = expected.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
    this.#variables = new Set(names.map(variableOf));
    this.#variablePrefixes = this.#prefixes.map(variableOf);
  }

  /** Reports whether a field with this name passes. */
  has(name: string): boolean {
    return this.#names.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix));
  }

  /** Removes fields that are the same variable as an expected one: other forms of its name, and all of several. */
  sift(headers: HeaderMap): void {
    if (this.size === 0) return;
    const counts = new Map<string, number>();
    let removes = false;
    for (const name of headers.names) {
      const variable = variableOf(name);
      if (!this.#covers(variable)) continue;
      const count = this.has(name) ? (counts.get(variable) ?? 0) + 1 : (counts.get(variable) ?? 0);
      counts.set(variable, count);
      removes ||= count !== 1 || !this.has(name);
    }
    if (removes)
      headers.deleteWhere((name) => {
        const count = counts.get(variableOf(name));
        return count !== undefined && (count > 1 || !this.has(name));
      });
  }

  #covers(variable: string): boolean {
    return this.#variables.has(variable) || this.#variablePrefixes.some((prefix) => variable.startsWith(prefix));
  }
}

/** No names. */
export const noKeptNames: KeptNames = new KeptNames([]);

function variableOf(name: string): string {
  return isIrregular(name) ? name.replaceAll('_', '-').replaceAll('.', '-') : name;
}
