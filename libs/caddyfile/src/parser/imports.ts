/** The `import` directive, which is replaced with the tokens of a snippet or file. */
import { isAbsolute, resolve, dirname } from 'node:path';
import { checkExternalRead, isConfined, messageOf, type Environment } from '@sluice/base';
import { caddyfileError, errorAt } from '../errors.ts';
import { replaceEnvironment } from '../lexer/environment.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { ImportSite, CaddyfileToken } from '../token.ts';
import { namedBlocks, replaceArguments, variadic, type ImportArguments } from './arguments.ts';
import { placesInDefinitions } from './definitions.ts';
import { findFiles, readSource } from './files.ts';
import type { ParseWarning } from './site.ts';

/** Maximum depth of nested imports. */
const maxDepth = 1_000;

/**
 * Limits for the total of all imports in a file. Arguments, and snippets that import other snippets twice, can multiply the number of
 * tokens.
 */
const max = { imports: 100_000, tokens: 1_000_000, characters: 64 * 1024 * 1024, warnings: 1000 };

/** Parsed `import`. */
export interface ImportStatement {
  readonly statement: CaddyfileToken;
  readonly target: CaddyfileToken;
  readonly values: readonly CaddyfileToken[];
  /** Tokens of the import's block, or `null` if there is no block. */
  readonly block: readonly CaddyfileToken[] | null;
  /** Number of the last line of the import directive. */
  readonly line: number;
}

/** Stores snippets and files, and returns copies of their tokens for each import. */
export class Imports {
  readonly #snippets = new Map<string, readonly CaddyfileToken[]>();
  readonly #files = new Map<string, readonly CaddyfileToken[]>();
  readonly #environment: Environment;
  readonly #reads: (pattern: string) => void;
  readonly warnings: ParseWarning[] = [];
  /** Import graph. The nodes have the form `file` or `file:snippet`. */
  readonly #edges = new Map<string, Set<string>>();
  #count = 0;
  #tokens = 0;
  #characters = 0;
  /** The `import` directive being resolved, for error messages. */
  #statement: CaddyfileToken | null = null;

  constructor(environment: Environment, reads: (pattern: string) => void) {
    this.#environment = environment;
    this.#reads = reads;
  }

  /** Returns the files read so far. */
  get files(): string[] {
    return [...this.#files.keys()];
  }

  /** Stores a snippet. Returns false if a snippet with this name already exists. */
  define(name: string, tokens: readonly CaddyfileToken[]): boolean {
    if (this.#snippets.has(name)) return false;
    this.#snippets.set(name, tokens);
    return true;
  }

  /** Returns the tokens that replace an `import` directive. */
  resolve({ statement, target, values, block, line }: ImportStatement): CaddyfileToken[] {
    if (++this.#count > max.imports) throw errorAt(statement, `too many imports: the maximum is ${max.imports}`);
    this.#statement = statement;
    if (statement.imports.length >= maxDepth)
      throw errorAt(statement, `imports are nested more than ${maxDepth} levels deep`);
    const input = { values, block: block ?? [], blocks: namedBlocks(block ?? []) };
    const snippet = this.#snippets.get(target.text);
    const snippetName = snippet === undefined ? '' : target.text;
    const tokens = snippet ?? this.#fromFiles(statement, target);
    const site: ImportSite = { file: statement.file, line, snippet: snippetName };
    this.#refuseCycle(statement, tokens, snippetName);
    return this.#copy(tokens, chains([...statement.imports, site]), input);
  }

  #fromFiles(statement: CaddyfileToken, target: CaddyfileToken): readonly CaddyfileToken[] {
    if (isConfined()) throw refusedImport(statement, target);
    const pattern = isAbsolute(target.text) ? target.text : resolve(dirname(statement.file), target.text);
    if ((pattern.match(/\*/g) ?? []).length > 1 || (pattern.includes('[') && pattern.includes(']'))) {
      throw errorAt(statement, `Glob pattern may only contain one wildcard (*), but has others: ${pattern}`);
    }
    this.#reads(pattern);
    const found = findFiles(target.text, statement.file);
    if (found === null) throw errorAt(statement, `File to import not found: ${target.text}`);
    if (found.length === 0) this.#warn(statement, `No files matching import glob pattern: ${target.text}`);
    return found.flatMap((each) => this.#read(each, statement));
  }

  #read(path: string, statement: CaddyfileToken): readonly CaddyfileToken[] {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    try {
      const tokens = tokenize(this.replace(readSource(path), path), path);
      this.#files.set(path, tokens);
      return tokens;
    } catch (error) {
      throw errorAt(statement, `Could not import ${path}: ${messageOf(error)}`, error);
    }
  }

  /** Throws if a snippet or file imports itself, directly or indirectly. */
  #refuseCycle(statement: CaddyfileToken, tokens: readonly CaddyfileToken[], snippet: string): void {
    const from = nodeOf(statement.file, statement.imports.at(-1)?.snippet ?? '');
    const targets = snippet === '' ? new Set(tokens.map((token) => token.file)) : [nodeOf(statement.file, snippet)];
    for (const to of targets) {
      if (from === to || this.#reaches(to, from))
        throw caddyfileError(`a cycle of imports exists between ${from} and ${to}`, undefined, statement);
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
    const add = (token: CaddyfileToken): void => {
      this.#meter(token);
      copies.push(token);
    };
    const defined = placesInDefinitions(tokens);
    for (const [at, token] of tokens.entries()) {
      const { text } = token;
      const imports = chainOf(token);
      if (defined.has(at)) {
        add(token.imported(text, imports));
      } else if (text === '{block}') {
        for (const each of input.block) add(each);
      } else if (text.startsWith('{blocks.') && text.endsWith('}')) {
        for (const each of input.blocks.get(text.slice(8, -1)) ?? []) add(each);
      } else {
        const warn = (message: string): void => this.#warn(token, message);
        const list = variadic(token, input.values, warn);
        if (list === null) add(token.imported(replaceArguments(text, input, warn), imports));
        else for (const value of list) add(token.withText(value.text, value.quote).imported(value.text, imports));
      }
    }
    return copies;
  }

  #meter(token: CaddyfileToken): void {
    this.#tokens++;
    this.#characters += token.text.length;
    const exceeded: 'tokens' | 'characters' | null =
      this.#tokens > max.tokens ? 'tokens' : this.#characters > max.characters ? 'characters' : null;
    if (exceeded === null) return;
    const message = `imports expand this file to more than ${max[exceeded]} ${exceeded}`;
    throw this.#statement === null ? caddyfileError(message, undefined, token) : errorAt(this.#statement, message);
  }

  /** Replaces environment variables in a string. Warns about unset variables, except in comments. */
  replace(text: string, file: string): string {
    return replaceEnvironment(text, this.#environment, (start, end, _value, isUnset) => {
      if (!isUnset || this.warnings.length >= max.warnings) return;
      const before = text.slice(0, start).split('\n');
      if (before.at(-1)?.trimStart().startsWith('#') === true) return;
      const name = text.slice(start + 2, end - 1);
      const message = `the environment variable ${name} is not set, so it is replaced with nothing: set it, or write {$${name}:default}`;
      this.warnings.push({ file, line: before.length, message });
    });
  }

  #warn({ file, line }: CaddyfileToken, message: string): void {
    if (this.warnings.length < max.warnings) this.warnings.push({ file, line, message });
  }
}

/** Creates the error for a forbidden import. The error does not reveal whether the file exists. */
function refusedImport(statement: CaddyfileToken, target: CaddyfileToken): unknown {
  try {
    checkExternalRead(`import ${target.text}`);
  } catch (error) {
    return errorAt(statement, messageOf(error), error);
  }
  return null;
}

/** Returns the chain of imports for a copy of a token. */
type Chains = (token: CaddyfileToken) => readonly ImportSite[];

/**
 * Returns a function that creates import chains. A chain begins with the imports that led to the snippet's definition. The imports of the
 * current copy follow.
 */
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
