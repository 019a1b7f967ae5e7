/** Which language a document is in: by what the editor calls it, or else by its name. */
import { basename, extname } from 'node:path';

/** The languages that are served. `null`: none of them. */
export type DocumentKind = 'caddyfile' | 'json';

const byLanguage: Readonly<Record<string, DocumentKind>> = {
  caddyfile: 'caddyfile',
  json: 'json',
  jsonc: 'json',
  json5: 'json',
};

/** Tells the language of a document. An editor that knows no Caddyfiles calls them plain text. */
export function kindOfDocument(languageId: string, path: string): DocumentKind | null {
  const known = Object.hasOwn(byLanguage, languageId) ? byLanguage[languageId] : undefined;
  if (known !== undefined) return known;
  const name = basename(path);
  const extension = extname(name).toLowerCase();
  if (extension === '.json' || extension === '.json5') return 'json';
  return extension === '.caddyfile' || name.startsWith('Caddyfile') ? 'caddyfile' : null;
}

/** Whether a JSON document must be what the server reads as JSON; others may have what JSON5 has. */
export function isStrictJson(path: string): boolean {
  return extname(path).toLowerCase() === '.json';
}

/** Whether a document is called as configurations are, so that it is one although nothing is in it yet. */
export function isNamedConfiguration(path: string): boolean {
  return /^(?:sluice|caddy)\b/i.test(basename(path));
}
