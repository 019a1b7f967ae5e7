/** Finds problems in a JSON configuration: syntax errors, duplicate keys, unknown modules, and invalid options. */
import { isSluiceError, messageOf, parseWhere } from '@sluice/base';
import { nearest } from '@sluice/caddyfile';
import { checkOptions, type Registry } from '@sluice/registry';
import { valueOf, type JsonNode, type JsonText, type ObjectNode } from '../json/parse.ts';
import { entryOf, keySpanAt, spanAt } from '../json/places.ts';
import { placeModules, type PlacedModule } from '../json/placed-modules.ts';
import type { Span } from '../text/span.ts';
import type { Problem } from './diagnostic.ts';

/** Returns the problems that can be found without provisioning. */
export function jsonProblems(registry: Registry, { root, problems }: JsonText): Problem[] {
  const found: Problem[] = problems.map((problem) => ({ ...problem, severity: 'error' }));
  if (root === null) return found;
  found.push(...duplicateKeys(root));
  if (root.kind === 'object') found.push(...unknownSections(registry, root));
  const { modules, unknown } = placeModules(registry, root);
  for (const { name, id, known, start, end } of unknown) {
    found.push({ start, end, severity: 'error', ...suggestion(`unknown module ${id}`, name, known) });
  }
  for (const module of modules) {
    const problem = optionProblem(root, module);
    if (problem !== null) found.push(problem);
  }
  return found;
}

/** Reports whether a document is a Sluice configuration rather than other JSON. */
export function isConfiguration(registry: Registry, { root }: JsonText): boolean {
  return root?.kind === 'object' && root.entries.some(({ key }) => key === 'apps' || registry.sections().has(key));
}

/** Appends the closest known name to a message and offers it as a quick fix. */
export function suggestion(
  message: string,
  name: string,
  known: Iterable<string>,
): { message: string; replacement?: string } {
  const near = nearest(name, known);
  return near === null ? { message } : { message: `${message} - did you mean '${near}'?`, replacement: near };
}

function unknownSections(registry: Registry, root: ObjectNode): Problem[] {
  const known = ['apps', ...registry.sections().keys()];
  return root.entries
    .filter(({ key }) => !known.includes(key) && key !== '@id' && key !== '$schema')
    .map(({ key, keySpan }) => ({
      ...keySpan,
      severity: 'error',
      ...suggestion(`unknown key ${JSON.stringify(key)}`, key, known),
    }));
}

function duplicateKeys(root: JsonNode): Problem[] {
  const found: Problem[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'array') waiting.push(...node.items);
    if (node.kind !== 'object') continue;
    for (const entry of node.entries) {
      if (entry.value !== null) waiting.push(entry.value);
      if (entryOf(node, entry.key) === entry) continue;
      const message = `duplicate key ${JSON.stringify(entry.key)}: only the last value is used`;
      found.push({ ...entry.keySpan, message, severity: 'warning', unused: true });
    }
  }
  return found;
}

function optionProblem(root: JsonNode, { module, path, node, nameKey }: PlacedModule): Problem | null {
  const names = new Set(['@id', nameKey]);
  const options = valueOf(node);
  const isNamed = node.kind === 'object' && node.entries.some(({ key }) => names.has(key));
  const own = isNamed
    ? Object.fromEntries(Object.entries(options as object).filter(([key]) => !names.has(key)))
    : options;
  try {
    checkOptions(module, own, '');
    return null;
  } catch (error) {
    const { where, message } = locatedMessage(error);
    const at = [...path, ...(parseWhere(where) ?? [])];
    const unknown = /^unknown key ("(?:[^"\\]|\\.)*") of (.*); it has (.*)$/.exec(message);
    if (unknown === null) return { ...spanAt(root, at), message, severity: 'error' };
    const key = JSON.parse(unknown[1] ?? '""') as string;
    const known = (unknown[3] ?? '').split(', ');
    return { ...keySpanAt(root, [...at, key]), severity: 'error', ...suggestion(message, key, known) };
  }
}

/** Splits an error message into a location and the message itself. */
export function locatedMessage(error: unknown): { where: string; message: string } {
  const message = messageOf(error);
  const where = isSluiceError(error) ? (error.where ?? '') : '';
  return where !== '' && message.startsWith(`${where}: `)
    ? { where, message: message.slice(where.length + 2) }
    : { where, message };
}

/** Returns the text range for a configuration path in a message. */
export function spanOfWhere(root: JsonNode, where: string): Span {
  return spanAt(root, parseWhere(where) ?? []);
}
