/** Maps values in an adapted document to positions in the Caddyfile. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import type { ConfigSources, SourcePlace } from '@sluice/contracts';
import type { ParsedFile } from '../parser/site.ts';
import type { CaddyfileToken } from '../token.ts';
import { findToken } from './find-token.ts';
import { originOf } from './origins.ts';

/** Source map of an adapted document. Positions are computed on request. */
export class SourceMap implements ConfigSources {
  readonly #document: Json;
  readonly #file: ParsedFile;
  #keys: ReadonlyMap<string, CaddyfileToken> | null = null;

  constructor(document: Json, file: ParsedFile) {
    this.#document = document;
    this.#file = file;
  }

  placeOf(path: ConfigPath): SourcePlace | null {
    let value: Json | undefined = this.#document;
    let tokens: readonly CaddyfileToken[] | null = null;
    let below: string[] = [];
    for (const segment of path) {
      const child = childOf(value, segment);
      if (child === undefined) break;
      value = child;
      const origin = originOf(child);
      if (origin === undefined) {
        below.push(segment);
      } else {
        tokens = origin;
        below = [];
      }
    }
    const token = tokens === null ? this.#findGlobally(below, value) : findToken(tokens, below, value);
    return token === null ? null : placeOfToken(token);
  }

  /** Finds the token of a value that no directive produced. Such values come from global options or site addresses. */
  #findGlobally(below: readonly string[], value: Json | undefined): CaddyfileToken | null {
    const name = typeof value === 'string' ? this.#addresses().get(value) : undefined;
    if (name !== undefined) return name;
    const [first] = this.#file.blocks;
    if (first === undefined || first.keys.length > 0) return first?.keys[0] ?? null;
    return findToken(first.segments.flat(), below, value);
  }

  /** Returns the tokens of site addresses, indexed by their text and by host. */
  #addresses(): ReadonlyMap<string, CaddyfileToken> {
    if (this.#keys !== null) return this.#keys;
    const keys = new Map<string, CaddyfileToken>();
    for (const { keys: tokens } of this.#file.blocks) {
      for (const token of tokens) {
        const host = /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]*)/.exec(token.text)?.[1] ?? '';
        const port = /:\d+/.exec(token.text)?.[0] ?? '';
        for (const name of [token.text, host, port]) if (name !== '' && !keys.has(name)) keys.set(name, token);
      }
    }
    this.#keys = keys;
    return keys;
  }
}

function childOf(value: Json | undefined, segment: string): Json | undefined {
  if (isArray(value)) return /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
  return isObject(value) ? own(value, segment) : undefined;
}

function placeOfToken({ file, line, column, imports }: CaddyfileToken): SourcePlace {
  const [outermost] = imports;
  if (outermost === undefined) return { file, line, column };
  return { file, line, column, imported: { file: outermost.file, line: outermost.line } };
}
