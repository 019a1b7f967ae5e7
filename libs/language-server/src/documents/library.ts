/** Provides the current content of files: from the editor for open documents, and from disk for others. */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { IsDirective } from '../caddyfile/tree.ts';
import { Project, projectFile, type ProjectFile } from '../caddyfile/project.ts';

/** Reads files and caches their parsed form until the text changes. */
export class Library {
  readonly #isDirective: IsDirective;
  readonly #open = new Map<string, TextDocument>();
  readonly #files = new Map<string, { readonly text: string; readonly file: ProjectFile }>();

  constructor(isDirective: IsDirective) {
    this.#isDirective = isDirective;
  }

  /** Starts using the editor's version of a document. */
  open(document: TextDocument): void {
    this.#open.set(pathOf(document.uri), document);
  }

  /** Stops using the editor's version of a document. The version on disk is used from now on. */
  close(uri: string): void {
    this.#open.delete(pathOf(uri));
    this.#files.delete(pathOf(uri));
  }

  /** Returns a file by path, or `null` if it can't be read. */
  file(path: string): ProjectFile | null {
    const text = this.#text(path);
    if (text === null) return null;
    const known = this.#files.get(path);
    if (known?.text === text) return known.file;
    const file = projectFile(path, text, this.#isDirective);
    this.#files.set(path, { text, file });
    return file;
  }

  /** Returns a file with all its imports. */
  project(path: string): Project {
    return new Project(path, (each) => this.file(each));
  }

  document(path: string): TextDocument | null {
    const open = this.#open.get(path);
    if (open !== undefined) return open;
    const text = this.#text(path);
    return text === null ? null : TextDocument.create(uriOf(path), 'caddyfile', 0, text);
  }

  #text(path: string): string | null {
    const open = this.#open.get(path);
    if (open !== undefined) return open.getText();
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  }
}

/** Converts a URI to a path. Each unsaved document gets a unique name. */
export function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri.slice(uri.indexOf(':') + 1);
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
