/** Values that are not shown unless they are asked for: a screen is often shared. Their names are those that the server hides. */
import { isSecretField } from '@sluice/base/secrets';
import type { Operation } from './difference.ts';
import { isList, isObject, type Json, type Path } from './json.ts';
import { parsePointer } from './paths.ts';

/** What stands in place of one. */
export const hidden = '••••••';

/** Whether a key is that of a secret, or a list in a secret's place. */
export function isSecret(path: Path): boolean {
  const key = path.findLast((each) => typeof each === 'string');
  return key !== undefined && isSecretField(String(key));
}

/** The value without the secrets in it; the same object where there are none. */
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

/** The operations of a patch without the secrets in them. */
export function withoutSecretsIn(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((each) =>
    each.value === undefined ? each : { ...each, value: withoutSecrets(each.value, parsePointer(each.path)) },
  );
}

/** A value whose secrets are put aside, each with a number in its place, by which it is found again wherever that is moved. */
export interface Sealed {
  readonly value: Json;
  readonly secrets: readonly string[];
}

/** Puts them aside, to edit the rest as text. */
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

/** A number in the place of a secret that is none of those that were put aside. */
export class UnknownSecret extends TypeError {
  readonly code = 'unknown-secret';
}

/** Puts them back. Throws where the number is none that was given. */
export function unseal(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string' && value.startsWith(hidden)) {
    const secret = secrets[Number(value.slice(hidden.length)) - 1];
    if (secret === undefined)
      throw new UnknownSecret(`${value} stands for no secret of this value: write the secret itself`);
    return secret;
  }
  if (isList(value)) return value.map((item) => unseal(item, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unseal(item, secrets)]));
}

/** A text that was made of a value, without the secrets of that. Very short ones would be found in any word. */
export function withoutSecretsOf(value: Json | undefined, text: string): string {
  const { secrets } = seal(value ?? null, []);
  const long = [...new Set(secrets)].filter(({ length }) => length > 3).sort((a, b) => b.length - a.length);
  return long.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}
