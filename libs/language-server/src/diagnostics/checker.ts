/** Checks documents while they are being edited. Fast checks run after a short delay, and provisioning runs after a longer one. */
import type { Diagnostic } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { AdapterRanges } from '../caddyfile/adapter-ranges.ts';
import type { Descriptions } from '../caddyfile/descriptions.ts';
import { isNamedConfiguration, isStrictJson, kindOfDocument } from '../documents/kind.ts';
import { pathOf, type Library } from '../documents/library.ts';
import { parseJson, valueOf } from '../json/parse.ts';
import type { LanguageServices } from '../services.ts';
import type { Span } from '../text/span.ts';
import { adapterProblems, spanOfValue } from './caddyfile-problems.ts';
import { fragmentProblems } from './fragment-problems.ts';
import { diagnosticOf, type Problem } from './diagnostic.ts';
import { isConfiguration, jsonProblems, spanOfWhere } from './json-problems.ts';
import { nameProblems } from './name-problems.ts';
import { rehearsalProblems, type Rehearsed } from './rehearsal.ts';

/** Delays between the last change and the checks, in milliseconds. */
const quickly = 150;
const whenIdle = 1_000;

/**
 * Maximum length, in UTF-16 code units, of a document that is provisioned while the user is typing. Provisioning may take a second, so
 * longer documents are provisioned only when they are opened or saved.
 */
const longText = 200_000;

export type Publish = (document: TextDocument, diagnostics: Diagnostic[]) => void;

interface Checked {
  readonly problems: readonly Problem[];
  /** Configuration to provision; `null` if the configuration is invalid. */
  readonly rehearsed: Rehearsed | null;
}

/** Event that triggers a check. */
export type Occasion = 'opened' | 'changed' | 'saved';

/** Checks one version of each document at a time. A change cancels the check of the previous version. */
export class Checker {
  readonly #services: LanguageServices;
  readonly #descriptions: Descriptions;
  readonly #library: Library;
  readonly #publish: Publish;
  readonly #running = new Map<string, AbortController>();

  constructor(services: LanguageServices, descriptions: Descriptions, library: Library, publish: Publish) {
    this.#services = services;
    this.#descriptions = descriptions;
    this.#library = library;
    this.#publish = publish;
  }

  /** Starts a check and cancels any check of the document in progress. */
  check(document: TextDocument, occasion: Occasion): void {
    this.#running.get(document.uri)?.abort();
    const running = new AbortController();
    this.#running.set(document.uri, running);
    void this.#run(document, occasion, running.signal).catch((error: unknown) => this.#failed(document, error));
  }

  drop(document: TextDocument): void {
    this.#running.get(document.uri)?.abort();
    this.#running.delete(document.uri);
    this.#publish(document, []);
  }

  close(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #run(document: TextDocument, occasion: Occasion, signal: AbortSignal): Promise<void> {
    if (!(await pause(occasion === 'opened' ? 0 : quickly, signal))) return;
    const { problems, rehearsed } = await this.#checkQuickly(document);
    if (signal.aborted) return;
    this.#show(document, problems);
    const isLong = document.getText().length > longText;
    if (rehearsed === null || (isLong && occasion === 'changed')) return;
    if (!(await pause(occasion === 'changed' ? whenIdle : 0, signal))) return;
    const more = await rehearsalProblems(this.#services, rehearsed);
    if (!signal.aborted && more.length > 0) this.#show(document, [...problems, ...more]);
  }

  #show(document: TextDocument, problems: readonly Problem[]): void {
    this.#publish(
      document,
      problems.map((problem) => diagnosticOf(document, problem)),
    );
  }

  /** Reports an internal error to the editor and keeps the language server running. */
  #failed(document: TextDocument, error: unknown): void {
    const message = `failed to check this file: ${String(error)}`;
    this.#show(document, [{ start: 0, end: 0, message, severity: 'warning' }]);
  }

  async #checkQuickly(document: TextDocument): Promise<Checked> {
    const path = pathOf(document.uri);
    const kind = kindOfDocument(document.languageId, path);
    if (kind === 'caddyfile') return this.#checkCaddyfile(document, path);
    return kind === 'json' ? this.#checkJson(document, path) : { problems: [], rehearsed: null };
  }

  #checkJson(document: TextDocument, path: string): Checked {
    const { registry } = this.#services;
    const json = parseJson(document.getText(), isStrictJson(path));
    const { root } = json;
    if (root === null || (!isConfiguration(registry, json) && !isNamedConfiguration(path)))
      return { problems: [], rehearsed: null };
    const problems = jsonProblems(registry, json);
    if (problems.some(({ severity }) => severity === 'error')) return { problems, rehearsed: null };
    const spanOf = (where: string): Span => spanOfWhere(root, where);
    const otherwise = { start: root.start, end: root.start + 1 };
    return { problems, rehearsed: { document: valueOf(root), spanOf, otherwise } };
  }

  async #checkCaddyfile(document: TextDocument, path: string): Promise<Checked> {
    const text = document.getText();
    const project = this.#library.project(path);
    const tree = this.#library.file(path)?.tree;
    if (tree === undefined) return { problems: [], rehearsed: null };
    const ranges = new AdapterRanges(text, path, this.#services.environment);
    const checked = { path, text, tree, project, ranges };
    const isFragment = tree.sections[0]?.kind === 'fragment';
    const adapt = isFragment ? fragmentProblems : adapterProblems;
    const { problems, adapted, withoutPlace } = await adapt(this.#services, checked);
    // Search for unknown names only if the adapter failed. The adapter itself validates names.
    const unknown = adapted === undefined ? await nameProblems(this.#services, this.#descriptions, checked) : [];
    const names = unknown.filter(
      (each) =>
        !problems.some(({ start, end, severity }) => severity === 'error' && start === each.start && end === each.end),
    );
    // If an error has no position, list the unknown names. They explain the error better than its message does.
    const all = withoutPlace === true && names.length > 0 ? names : [...problems, ...names];
    if (adapted === undefined) return { problems: all, rehearsed: null };
    const [first] = tree.tokens;
    const otherwise = { start: first?.start ?? 0, end: first?.end ?? 0 };
    const spanOf = (where: string): Span | null => spanOfValue(checked, adapted, where);
    return { problems: all, rehearsed: { document: adapted.config, spanOf, otherwise } };
  }
}

/** Waits for a delay. Returns false if the wait was canceled. */
function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (): void => resolve(!signal.aborted);
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
