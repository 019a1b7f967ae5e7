/** Values that are not shown unless they are asked for: a screen is often shared. */
import { isList, isObject, type Json, type Path } from './json.ts';

/** Names of options that hold a secret. */
const names =
  /^(?:password|passphrase|secret|token|credentials?|private_key|secret_?(?:access_)?key|access_key|api_?(?:key|token)|auth_token|bearer|hmac|mac_key|dsn|authorization|proxy-authorization|cookie|x-api-key)$|(?:_|-)(?:password|secret|token|passphrase)$/i;

/** What stands in place of one. */
export const hidden = '••••••';

/** Whether a key is that of a secret, or a list in a secret's place. */
export function isSecret(path: Path): boolean {
  const key = path.findLast((each) => typeof each === 'string');
  return key !== undefined && names.test(String(key));
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
