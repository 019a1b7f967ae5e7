/** Finds references to other files and packages in code and type declarations. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * Returns the import specifiers in a file, except Node's built-in modules. Includes static imports, dynamic imports with a literal, and
 * imports in types (`import('pg').Client`).
 */
export function importsOf(file: string): string[] {
  const found = new Set<string>();
  const add = (node: { readonly source?: { readonly type: string; readonly value?: unknown } | null }): void => {
    if (typeof node.source?.value === 'string' && !isBuiltin(node.source.value)) found.add(node.source.value);
  };
  new Visitor({
    ImportDeclaration: add,
    ImportExpression: add,
    ExportAllDeclaration: add,
    ExportNamedDeclaration: add,
    TSImportType: add,
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return [...found];
}

/** Returns the package name of an import specifier such as `@sluice/caddyfile/contribute`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
