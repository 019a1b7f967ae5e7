/** Determines the language of a document from the editor's language ID or the file name. */
import { basename, extname } from 'node:path';

/** Supported document languages. `null` stands for an unsupported language. */
export type DocumentKind = 'caddyfile' | 'json';

const byLanguage: Readonly<Record<string, DocumentKind>> = {
  caddyfile: 'caddyfile',
  json: 'json',
  jsonc: 'json',
  json5: 'json',
};

/** Returns the language of a document. Editors without Caddyfile support report plain text. */
export function kindOfDocument(languageId: string, path: string): DocumentKind | null {
  const known = Object.hasOwn(byLanguage, languageId) ? byLanguage[languageId] : undefined;
  if (known !== undefined) return known;
  const name = basename(path);
  const extension = extname(name).toLowerCase();
  if (extension === '.json' || extension === '.json5') return 'json';
  return extension === '.caddyfile' || name.startsWith('Caddyfile') ? 'caddyfile' : null;
}

/** Reports whether a document must be strict JSON. Other documents may be JSON5. */
export function isStrictJson(path: string): boolean {
  return extname(path).toLowerCase() === '.json';
}

/** Reports whether a file is a configuration by its name, even if the file is still empty. */
export function isNamedConfiguration(path: string): boolean {
  return /^(?:sluice|caddy)\b/i.test(basename(path));
}
