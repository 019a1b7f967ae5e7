/**
 * Request field names that contain `_` or `.`. Programs such as CGI scripts map field names to variables and treat these characters like
 * hyphens: `x_user`, `x.user` and `x-user` become the same variable. A client could send such a field to override a value that a proxy has
 * validated. The server therefore keeps only expected names in exactly the expected spelling, with one field per name.
 */
import type { HeaderMap } from './header-map.ts';

/** Reports whether a name contains a character that programs may treat like a hyphen. */
export function isIrregular(name: string): boolean {
  return name.includes('_') || name.includes('.');
}

/** Field names with `_` or `.` that the server expects, and prefixes of such names. */
export class KeptNames {
  readonly size: number;
  readonly #names: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  /** Expected names, converted to the form of CGI variables. */
  readonly #variables: ReadonlySet<string>;
  readonly #variablePrefixes: readonly string[];

  /** `expected` contains lowercase names. A name that ends with `*` is a prefix. */
  constructor(expected: readonly string[]) {
    const names = expected.filter((name) => !name.endsWith('*'));
    this.size = expected.length;
    this.#names = new Set(names);
    this.#prefixes = expected.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
    this.#variables = new Set(names.map(variableOf));
    this.#variablePrefixes = this.#prefixes.map(variableOf);
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix));
  }

  /** Removes fields that map to the same CGI variable as an expected name, that is, other spellings and all duplicates of the name. */
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

export const noKeptNames: KeptNames = new KeptNames([]);

function variableOf(name: string): string {
  return isIrregular(name) ? name.replaceAll('_', '-').replaceAll('.', '-') : name;
}
