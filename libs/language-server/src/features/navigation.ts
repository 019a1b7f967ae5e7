/** Navigation between definitions and uses, links to imported files, and renaming. */
import type { DocumentLink, Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { importedPaths, type PlacedName } from '../caddyfile/project.ts';
import { uriOf, type Library } from '../documents/library.ts';
import { rangeOf } from '../text/span.ts';

/** Returns the definitions of the name or imported file at an offset. */
export function definitionsAt(library: Library, path: string, offset: number): Location[] {
  const project = library.project(path);
  const name = project.nameAt(path, offset);
  const definitions = name === null ? [] : project.definitionsOf(name);
  if (definitions.length > 0) return locationsOf(library, definitions);
  const target = library.file(path)?.imports.find(({ start, end }) => start <= offset && offset <= end);
  const start = { line: 0, character: 0 };
  return importedPaths(target?.text ?? '', path).map((each) => ({ uri: uriOf(each), range: { start, end: start } }));
}

/** Returns all occurrences of the name at an offset. */
export function referencesAt(library: Library, path: string, offset: number, declarations: boolean): Location[] {
  const project = library.project(path);
  const name = project.nameAt(path, offset);
  if (name === null) return [];
  return locationsOf(
    library,
    project.sameAs(name).filter(({ defines }) => declarations || !defines),
  );
}

/** Returns the name at an offset if it can be renamed. A name can be renamed if an open or imported file defines it. */
export function renamedAt(library: Library, path: string, offset: number): PlacedName | null {
  const project = library.project(path);
  const name = project.nameAt(path, offset);
  return name === null || project.definitionsOf(name).length === 0 ? null : name;
}

/** Returns the edits that rename the name at an offset. `@` and parentheses around the new name are removed. */
export function renameAt(library: Library, path: string, offset: number, to: string): WorkspaceEdit | null {
  const name = renamedAt(library, path, offset);
  if (name === null) return null;
  const newText = to.replace(/^(?:@|&?\()/, '').replace(/\)$/, '');
  if (!/^[^\s{}"`#@(),][^\s{}"`(),]*$/.test(newText)) throw new Error(`${JSON.stringify(to)} is not a valid name`);
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, range } of locationsOf(library, library.project(path).sameAs(name))) {
    (changes[uri] ??= []).push({ range, newText });
  }
  return { changes };
}

/** Returns document links for imports that refer to files. */
export function linksOf(library: Library, path: string): DocumentLink[] {
  const document = library.document(path);
  const file = library.file(path);
  if (document === null || file === null) return [];
  const snippets = new Set(
    library
      .project(path)
      .definitions('snippet')
      .map(({ name }) => name),
  );
  return file.imports.flatMap((target) => {
    const [first, ...others] = snippets.has(target.text) ? [] : importedPaths(target.text, path);
    if (first === undefined) return [];
    const tooltip = others.length === 0 ? first : `${first} and ${others.length} more`;
    return [{ range: rangeOf(document, target), target: uriOf(first), tooltip }];
  });
}

function locationsOf(library: Library, names: readonly PlacedName[]): Location[] {
  return names.flatMap((name) => {
    const document = library.document(name.path);
    return document === null ? [] : [{ uri: document.uri, range: rangeOf(document, name) }];
  });
}
