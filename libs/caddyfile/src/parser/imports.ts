/** `import`: puts a snippet's or a file's tokens in its place. */
import { isAbsolute, resolve, dirname } from 'node:path';
import { messageOf, type Environment } from '@sluice/base';
import { caddyfileError, errorAt } from '../errors.ts';
import { replaceEnvironment } from '../lexer/environment.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { ImportSite, CaddyfileToken } from '../token.ts';
import { namedBlocks, replaceArguments, variadic, type ImportArguments } from './arguments.ts';
import { placesInDefinitions } from './definitions.ts';
import { findFiles, readSource } from './files.ts';
import type { ParseWarning } from './site.ts';

/** Imports within imports, at most. */
const deepest = 1_000;

/** Imports of a file, at most: snippets that import others twice multiply. */
const mostImports = 500_000;

/** An `import` as it was read. */
export interface ImportStatement {
  /** The word `import`. */
  readonly statement: CaddyfileToken;
  readonly target: CaddyfileToken;
  readonly values: readonly CaddyfileToken[];
  /** The tokens of its block, or `null`. */
  readonly block: readonly CaddyfileToken[] | null;
  /** The line it ends on. */
  readonly line: number;
}

/** Keeps snippets and files, and makes copies of their tokens. */
export class Imports {
  readonly #snippets = new Map<string, readonly CaddyfileToken[]>();
  readonly #files = new Map<string, readonly CaddyfileToken[]>();
  readonly #environment: Environment;
  readonly #reads: (pattern: string) => void;
  readonly warnings: ParseWarning[] = [];
  /** What imports what: `file` or `file:snippet`. */
  readonly #edges = new Map<string, Set<string>>();
  #count = 0;

  constructor(environment: Environment, reads: (pattern: string) => void) {
    this.#environment = environment;
    this.#reads = reads;
  }

  /** The files read so far. */
  get files(): string[] {
    return [...this.#files.keys()];
  }

  /** Keeps a snippet; false if there is one of that name. */
  define(name: string, tokens: readonly CaddyfileToken[]): boolean {
    if (this.#snippets.has(name)) return false;
    this.#snippets.set(name, tokens);
    return true;
  }

  /** The tokens that an `import` stands for. */
  resolve({ statement, target, values, block, line }: ImportStatement): CaddyfileToken[] {
    if (++this.#count > mostImports) throw errorAt(statement, `there are more than ${mostImports} imports`);
    if (statement.imports.length >= deepest) throw errorAt(statement, `imports are nested deeper than ${deepest}`);
    const input = { values, block: block ?? [], blocks: namedBlocks(block ?? []) };
    const snippet = this.#snippets.get(target.text);
    const snippetName = snippet === undefined ? '' : target.text;
    const tokens = snippet ?? this.#fromFiles(statement, target);
    const site: ImportSite = { file: statement.file, line, snippet: snippetName };
    this.#refuseCycle(statement, tokens, snippetName);
    return this.#copy(tokens, chains([...statement.imports, site]), input);
  }

  #fromFiles(statement: CaddyfileToken, target: CaddyfileToken): readonly CaddyfileToken[] {
    const pattern = isAbsolute(target.text) ? target.text : resolve(dirname(statement.file), target.text);
    if ((pattern.match(/\*/g) ?? []).length > 1 || (pattern.includes('[') && pattern.includes(']'))) {
      throw errorAt(statement, `Glob pattern may only contain one wildcard (*), but has others: ${pattern}`);
    }
    this.#reads(pattern);
    const found = findFiles(target.text, statement.file);
    if (found === null) throw errorAt(statement, `File to import not found: ${target.text}`);
    if (found.length === 0) this.#warn(statement, `No files matching import glob pattern: ${target.text}`);
    return found.length === 1
      ? this.#read(found[0] as string, statement)
      : found.flatMap((each) => this.#read(each, statement));
  }

  #read(path: string, statement: CaddyfileToken): readonly CaddyfileToken[] {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    try {
      const tokens = tokenize(replaceEnvironment(readSource(path), this.#environment), path);
      this.#files.set(path, tokens);
      return tokens;
    } catch (error) {
      throw errorAt(statement, `Could not import ${path}: ${messageOf(error)}`, error);
    }
  }

  /** A snippet or file that leads back to itself would never end. */
  #refuseCycle(statement: CaddyfileToken, tokens: readonly CaddyfileToken[], snippet: string): void {
    const from = nodeOf(statement.file, statement.imports.at(-1)?.snippet ?? '');
    const targets = snippet === '' ? new Set(tokens.map((token) => token.file)) : [nodeOf(statement.file, snippet)];
    for (const to of targets) {
      if (from === to || this.#reaches(to, from))
        throw caddyfileError(`a cycle of imports exists between ${from} and ${to}`);
      const edges = this.#edges.get(from) ?? new Set();
      this.#edges.set(from, edges.add(to));
    }
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const waiting = [from];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const next of this.#edges.get(node) ?? []) {
        if (next === to) return true;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    return false;
  }

  #copy(tokens: readonly CaddyfileToken[], chainOf: Chains, input: ImportArguments): CaddyfileToken[] {
    const copies: CaddyfileToken[] = [];
    const defined = placesInDefinitions(tokens);
    for (const [at, token] of tokens.entries()) {
      const { text } = token;
      const imports = chainOf(token);
      if (defined.has(at)) {
        copies.push(token.imported(text, imports));
      } else if (text === '{block}') {
        copies.push(...input.block);
      } else if (text.startsWith('{blocks.') && text.endsWith('}')) {
        copies.push(...(input.blocks.get(text.slice(8, -1)) ?? []));
      } else {
        const warn = (message: string): void => this.#warn(token, message);
        const list = variadic(token, input.values, warn);
        if (list === null) copies.push(token.imported(replaceArguments(text, input, warn), imports));
        else
          for (const value of list) copies.push(token.withText(value.text, value.quote).imported(value.text, imports));
      }
    }
    return copies;
  }

  #warn({ file, line }: CaddyfileToken, message: string): void {
    this.warnings.push({ file, line, message });
  }
}

/** The imports that a copy of a token came through. */
type Chains = (token: CaddyfileToken) => readonly ImportSite[];

/** The imports that a snippet's tokens were defined through come first, and then those that lead to this copy. */
function chains(way: readonly ImportSite[]): Chains {
  let [defined, chain]: [readonly ImportSite[] | null, readonly ImportSite[]] = [null, way];
  return ({ imports }) => {
    if (imports === defined) return chain;
    defined = imports;
    const before = imports.filter((site) => !way.includes(site));
    chain = before.length === 0 ? way : [...before, ...way];
    return chain;
  };
}

function nodeOf(file: string, snippet: string): string {
  return snippet === '' ? file : `${file}:${snippet}`;
}
