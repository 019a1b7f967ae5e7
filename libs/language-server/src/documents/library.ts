/** The files of the editor: those that are open as they are written, others as they are on disk. */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { IsDirective } from '../caddyfile/tree.ts';
import { Project, projectFile, type ProjectFile } from '../caddyfile/project.ts';

/** Reads files, and keeps what was made of them until their text changes. */
export class Library {
  readonly #isDirective: IsDirective;
  /** Open documents by path. */
  readonly #open = new Map<string, TextDocument>();
  readonly #files = new Map<string, { readonly text: string; readonly file: ProjectFile }>();

  constructor(isDirective: IsDirective) {
    this.#isDirective = isDirective;
  }

  /** Takes the document of the editor from now on. */
  open(document: TextDocument): void {
    this.#open.set(pathOf(document.uri), document);
  }

  /** Takes the file on disk again. */
  close(uri: string): void {
    this.#open.delete(pathOf(uri));
    this.#files.delete(pathOf(uri));
  }

  /** A file by its path, or `null`. */
  file(path: string): ProjectFile | null {
    const text = this.#text(path);
    if (text === null) return null;
    const known = this.#files.get(path);
    if (known?.text === text) return known.file;
    const file = projectFile(path, text, this.#isDirective);
    this.#files.set(path, { text, file });
    return file;
  }

  /** A file with all that it imports. */
  project(path: string): Project {
    return new Project(path, (each) => this.file(each));
  }

  /** A file as a document: the open one, or one of its text on disk. */
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

/** The path that a URI stands for. A document that is not saved has a name of its own. */
export function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri.slice(uri.indexOf(':') + 1);
  }
}

/** The URI of a path. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
