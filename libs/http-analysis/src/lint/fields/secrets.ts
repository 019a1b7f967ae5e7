/** Finds secrets that the configuration contains literally rather than as references. */
import { isArray, isObject, type ConfigPath } from '@sluice/base';
import { rareTexts, type LintedConfiguration } from '@sluice/registry';
import { fieldOperations } from './header-operations.ts';

export interface PlacedSecret {
  readonly text: string;
  readonly path: ConfigPath;
}

/** Yields secrets in request headers: those sent to upstreams, and those that matchers contain. */
export function* secretsInFields(configuration: LintedConfiguration): Generator<PlacedSecret> {
  for (const { of, name, values, path } of fieldOperations(configuration)) {
    if (of !== 'request') continue;
    for (const [index, value] of values.entries())
      if (isSecretField(name, value)) yield { text: value, path: [...path, String(index)] };
  }
  for (const module of configuration.modulesOf('http.matchers.header'))
    for (const [name, values] of isObject(module.node) ? Object.entries(module.node) : [])
      for (const [index, value] of (isArray(values) ? values : []).entries())
        if (typeof value === 'string' && isSecretField(name, value))
          yield { text: value, path: [...module.path, name, String(index)] };
}

/** Reports whether a header contains HTTP credentials, or whether its name suggests a key. */
function isSecretField(name: string, value: string): boolean {
  if (value.includes('{') || value.includes('*')) return false;
  const [, scheme, rest = ''] = /^(Bearer|Basic|Token|ApiKey|Digest)\s+(\S+)$/i.exec(value.trim()) ?? [];
  if (/^(?:proxy-)?authorization$/i.test(name)) return scheme === undefined ? isRandom(value.trim()) : rest.length >= 8;
  return (
    /^(?:x-)?(?:[a-z\d]+-)*(?:api-?key|auth-?token|access-?token|secret|password|private-token)$/i.test(name) &&
    isRandom(value)
  );
}

/** Reports whether a value looks like a key: long, with letters and digits, and without spaces. */
function isRandom(value: string): boolean {
  return value.length >= 12 && /^[\w+/=.~:-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

const passwordInUrl = /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@{}?#]+:[^\s/@{}?#]+@[\w.[-]/i;

/** Returns the URLs that contain a user name and a password. */
export function secretsInUrls(configuration: LintedConfiguration): readonly PlacedSecret[] {
  return rareTexts(configuration).filter(({ text }) => passwordInUrl.test(text));
}

/** Reports whether an option contains a secret, based on its name. Also applies to lists. */
export function isSecretOption(path: ConfigPath): boolean {
  const name = path.findLast((key) => !/^\d+$/.test(key)) ?? '';
  return /(?:^|_)(?:password|secrets?|token|key|mac_key)$/.test(name);
}
