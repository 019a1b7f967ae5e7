/** Parses JSON5 and YAML files, with the source locations of their values. */
import { extname } from 'node:path';
import type { ConfigPath, Json } from '@sluice/base';
import { parseJson, spanAt, type JsonNode } from '@sluice/language-server/json';
import { CommandError } from '../failure.ts';
import { unreadable } from './exit-codes.ts';

/** A position in a file. Lines and columns start at 1. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface LocatedText {
  readonly value: Json;
  placeOf(path: ConfigPath): TextPlace;
}

/** Parses a file's content in the format that the file extension indicates. */
export async function readLocated(file: string, text: string): Promise<LocatedText> {
  const extension = extname(file).toLowerCase();
  return extension === '.yaml' || extension === '.yml' ? readYaml(file, text) : readJson5(file, text);
}

/** Formats a position in a file for messages. */
export function placeText({ file, line, column }: TextPlace): string {
  return `${file}:${line}:${column}`;
}

/** Returns an error with a position in a file. */
export function errorAt(place: TextPlace, message: string, cause?: unknown): CommandError {
  return new CommandError(`${placeText(place)}: ${message}`, cause, unreadable);
}

function readJson5(file: string, text: string): LocatedText {
  const { root, problems } = parseJson(text, false);
  const placeAt = placesOf(file, text);
  const [problem] = problems;
  if (problem !== undefined) throw errorAt(placeAt(problem.start), problem.message);
  if (root === null) throw errorAt(placeAt(0), 'the file is empty');
  return { value: valueOf(root), placeOf: (path) => placeAt(spanAt(root, path).start) };
}

function valueOf(node: JsonNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.items.map(valueOf);
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, value === null ? null : valueOf(value)]));
  }
}

async function readYaml(file: string, text: string): Promise<LocatedText> {
  const { isNode, parseDocument } = await import('yaml');
  const placeAt = placesOf(file, text);
  const document = parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw errorAt(placeAt(error.pos[0]), error.message, error);
  const startOf = (path: ConfigPath): number => {
    const node: unknown = document.getIn(
      path.map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      true,
    );
    if (isNode(node) && node.range != null) return node.range[0];
    return path.length === 0 ? 0 : startOf(path.slice(0, -1));
  };
  return { value: (document.toJS() ?? null) as Json, placeOf: (path) => placeAt(startOf(path)) };
}

function placesOf(file: string, text: string): (offset: number) => TextPlace {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let line = starts.length - 1;
    while ((starts[line] ?? 0) > offset) line--;
    return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}
