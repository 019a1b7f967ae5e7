/** Redacts secrets in request explanations and recorded traces. */
import { isArray, isObject, isSecretField, isSecretName, redacted, redactedQuery, type Json } from '@sluice/base';

/** Returns the value to display under a name such as `header.cookie` or `vars.token`, redacted if it is secret. */
export function shown(key: string, value: Json): Json {
  if (value === null || value === '') return value;
  const dot = key.indexOf('.');
  const kind = dot < 0 ? key : key.slice(0, dot);
  const name = dot < 0 ? '' : key.slice(dot + 1);
  if (kind === 'header') return isSecretField(name) ? redacted : value;
  if (name !== '' && isSecretName(name)) return redacted;
  return key === 'query' || key === 'uri' ? redactQuery(String(value)) : value;
}

export function redactQuery(text: string): string {
  const from = text.indexOf('?') + 1;
  const hash = text.indexOf('#', from);
  const to = hash < 0 ? text.length : hash;
  return text.slice(0, from) + redactedQuery(text.slice(from, to), isSecretName) + text.slice(to);
}

export function redactNode(node: Json | undefined, name = ''): Json {
  if (node === undefined || node === null) return null;
  if (isArray(node)) return node.map((each) => redactNode(each, name));
  if (isObject(node))
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, redactNode(value, key)]));
  return typeof node === 'string' && isSecretField(name) ? redacted : node;
}
