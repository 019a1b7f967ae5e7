/** Masking of secrets until the user reveals them. The server masks fields with the same names. */
import { isSecretField } from '@sluice/base/secrets';
import type { Operation } from './difference.ts';
import { isList, isObject, type Json, type Path } from './json.ts';
import { parsePointer } from './paths.ts';

/** Text that replaces a masked secret. */
export const hidden = '••••••';

/** Reports whether a path refers to a secret, or to an element of a list of secrets. */
export function isSecret(path: Path): boolean {
  const key = path.findLast((each) => typeof each === 'string');
  return key !== undefined && isSecretField(String(key));
}

/** Returns a value with its secrets masked. Returns the same object if there are no secrets. */
export function withoutSecrets(value: Json, path: Path = []): Json {
  if (typeof value === 'string') return isSecret(path) ? hidden : value;
  if (isList(value)) {
    const items = value.map((item, index) => withoutSecrets(item, [...path, index]));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, [...path, key])] as const);
  return entries.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(entries);
}

/** Returns a patch with its secrets masked. */
export function withoutSecretsIn(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((each) =>
    each.value === undefined ? each : { ...each, value: withoutSecrets(each.value, parsePointer(each.path)) },
  );
}

/** A value whose secrets are replaced with numbers, so that secrets can be moved while editing. */
export interface Sealed {
  readonly value: Json;
  readonly secrets: readonly string[];
}

/** Replaces secrets with numbers, for editing the value as text. */
export function seal(value: Json, path: Path): Sealed {
  const secrets: string[] = [];
  const walk = (each: Json, at: Path): Json => {
    if (typeof each === 'string') return isSecret(at) && each !== '' ? `${hidden} ${secrets.push(each)}` : each;
    if (isList(each)) return each.map((item, index) => walk(item, [...at, index]));
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, walk(item, [...at, key])]));
  };
  const sealed = walk(value, path);
  return { value: sealed, secrets };
}

/** Error thrown for a number that does not refer to a secret. */
export class UnknownSecret extends TypeError {
  readonly code = 'unknown-secret';
}

/** Replaces numbers with the corresponding secrets. Throws if a number is unknown. */
export function unseal(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string' && value.startsWith(hidden)) {
    const secret = secrets[Number(value.slice(hidden.length)) - 1];
    if (secret === undefined)
      throw new UnknownSecret(`${value} does not match a hidden secret. Enter the secret itself.`);
    return secret;
  }
  if (isList(value)) return value.map((item) => unseal(item, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unseal(item, secrets)]));
}

/**
 * Masks all occurrences of a value's secrets in a string. Secrets of up to three characters are not masked, because they may occur in
 * ordinary words.
 */
export function withoutSecretsOf(value: Json | undefined, text: string): string {
  const { secrets } = seal(value ?? null, []);
  const long = [...new Set(secrets)].filter(({ length }) => length > 3).sort((a, b) => b.length - a.length);
  return long.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}
