/** Dispatches editor requests. */
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeResult,
  type Message,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { directives } from '@sluice/caddyfile';
import { Descriptions } from './caddyfile/descriptions.ts';
import type { CaddyfileTree } from './caddyfile/tree.ts';
import { Checker } from './diagnostics/checker.ts';
import { isConfiguration } from './diagnostics/json-problems.ts';
import { isNamedConfiguration, isStrictJson, kindOfDocument, type DocumentKind } from './documents/kind.ts';
import { Library, pathOf } from './documents/library.ts';
import { completeCaddyfile, type CompletionContext } from './features/caddyfile-completion.ts';
import { hoverCaddyfile } from './features/caddyfile-hover.ts';
import { fixesFor } from './features/fixes.ts';
import { formatEdits } from './features/format.ts';
import { definitionsAt, linksOf, referencesAt, renameAt, renamedAt } from './features/navigation.ts';
import { foldsOf, symbolsOf } from './features/outline.ts';
import { completeJson, type JsonContext } from './features/json-completion.ts';
import { hoverJson } from './features/json-hover.ts';
import { parseJson } from './json/parse.ts';
import type { EditorHost, LanguageServices } from './services.ts';
import { rangeOf } from './text/span.ts';
import { WaitingReader } from './waiting-reader.ts';

/** Streams that connect to the editor: standard input and output. */
export interface EditorStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Serves an editor over LSP until the editor disconnects. */
export async function serveEditor(host: EditorHost, { input, output }: EditorStreams): Promise<void> {
  const reader = new WaitingReader(new StreamMessageReader(input), isAboutDocument);
  const connection = createConnection(ProposedFeatures.all, reader, new StreamMessageWriter(output));
  connection.onInitialize(() => capabilities(host.version));
  const left = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
  });
  const serve = async (): Promise<void> => {
    await reader.waits;
    const services = await host.load();
    // Load all modules first, because the module list is read synchronously.
    await services.registry.loadAll();
    const server = new LanguageServer(services, connection);
    server.listen();
    reader.goOn();
    await left;
    server.close();
  };
  connection.listen();
  try {
    await Promise.race([left, serve()]);
  } finally {
    connection.dispose();
  }
}

/** Reports whether a message can be handled only after all modules are loaded. */
function isAboutDocument(message: Message): boolean {
  return 'method' in message && String(message.method).startsWith('textDocument/');
}

function capabilities(version: string): InitializeResult {
  return {
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
      completionProvider: { triggerCharacters: ['@', '{', '.', '"', '$'] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      documentSymbolProvider: true,
      foldingRangeProvider: true,
      documentFormattingProvider: true,
      documentLinkProvider: {},
      codeActionProvider: { codeActionKinds: ['quickfix'] },
    },
    serverInfo: { name: 'sluice', version },
  };
}

interface OpenDocument {
  readonly document: TextDocument;
  readonly kind: DocumentKind;
  readonly path: string;
}

class LanguageServer {
  readonly #services: LanguageServices;
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #library: Library;
  readonly #descriptions: Descriptions;
  readonly #checker: Checker;

  constructor(services: LanguageServices, connection: Connection) {
    this.#services = services;
    this.#connection = connection;
    this.#library = new Library((name) => services.registry.contributions(directives).has(name));
    this.#descriptions = new Descriptions(services.registry);
    this.#checker = new Checker(services, this.#descriptions, this.#library, ({ uri, version }, diagnostics) => {
      void connection.sendDiagnostics({ uri, version, diagnostics });
    });
  }

  listen(): void {
    this.#followDocuments();
    this.#help();
    this.#navigate();
    this.#outline();
    this.#edit();
    this.#documents.listen(this.#connection);
  }

  close(): void {
    this.#checker.close();
  }

  #followDocuments(): void {
    const known = new Set<string>();
    this.#documents.onDidChangeContent(({ document }) => {
      this.#library.open(document);
      this.#checker.check(document, known.has(document.uri) ? 'changed' : 'opened');
      known.add(document.uri);
    });
    this.#documents.onDidSave(({ document }) => {
      this.#checker.check(document, 'saved');
      for (const each of this.#importersOf(document)) this.#checker.check(each, 'saved');
    });
    this.#documents.onDidClose(({ document }) => {
      known.delete(document.uri);
      this.#library.close(document.uri);
      this.#checker.drop(document);
    });
  }

  /** Returns all other open documents that import a file. */
  #importersOf(document: TextDocument): TextDocument[] {
    const path = pathOf(document.uri);
    return this.#documents.all().filter((each) => {
      const open = each === document ? null : this.#caddyfile(each.uri);
      return open !== null && this.#library.project(open.path).files.some((file) => file.path === path);
    });
  }

  #help(): void {
    this.#connection.onCompletion(async ({ textDocument, position }) => {
      const open = this.#open(textDocument.uri);
      if (open === null) return [];
      const offset = open.document.offsetAt(position);
      const context = open.kind === 'caddyfile' ? this.#caddyfileContext(open) : null;
      return context === null
        ? this.#inJson(open, (json) => completeJson(json, offset))
        : completeCaddyfile(context, offset);
    });
    this.#connection.onHover(async ({ textDocument, position }) => {
      const open = this.#open(textDocument.uri);
      if (open === null) return null;
      const offset = open.document.offsetAt(position);
      const context = open.kind === 'caddyfile' ? this.#caddyfileContext(open) : null;
      if (context !== null) return hoverCaddyfile(context, this.#library, open.path, offset);
      return this.#inJson(open, (json) => hoverJson(json, offset)) ?? null;
    });
  }

  #caddyfileContext({ document, path }: OpenDocument): CompletionContext | null {
    const tree = this.#library.file(path)?.tree;
    if (tree === undefined) return null;
    const project = this.#library.project(path);
    const { environment } = this.#services;
    return { document, tree, project, descriptions: this.#descriptions, environment };
  }

  /** Calls a function if the document is a JSON configuration. Other JSON files are ignored. */
  #inJson<T>({ document, kind, path }: OpenDocument, make: (context: JsonContext) => T): T | undefined {
    if (kind !== 'json') return undefined;
    const { registry } = this.#services;
    const strict = isStrictJson(path);
    const json = parseJson(document.getText(), strict);
    if (!isConfiguration(registry, json) && !isNamedConfiguration(path)) return undefined;
    return make({ document, root: json.root, registry, strict });
  }

  #navigate(): void {
    const connection = this.#connection;
    connection.onDefinition(({ textDocument, position }) => {
      const open = this.#caddyfile(textDocument.uri);
      return open === null ? null : definitionsAt(this.#library, open.path, open.document.offsetAt(position));
    });
    connection.onReferences(({ textDocument, position, context }) => {
      const open = this.#caddyfile(textDocument.uri);
      if (open === null) return null;
      return referencesAt(this.#library, open.path, open.document.offsetAt(position), context.includeDeclaration);
    });
    connection.onPrepareRename(({ textDocument, position }) => {
      const open = this.#caddyfile(textDocument.uri);
      const name = open === null ? null : renamedAt(this.#library, open.path, open.document.offsetAt(position));
      return open === null || name === null ? null : { range: rangeOf(open.document, name), placeholder: name.name };
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const open = this.#caddyfile(textDocument.uri);
      return open === null ? null : renameAt(this.#library, open.path, open.document.offsetAt(position), newName);
    });
  }

  #outline(): void {
    const connection = this.#connection;
    connection.onDocumentSymbol(({ textDocument }) => this.#withTree(textDocument.uri, symbolsOf));
    connection.onFoldingRanges(({ textDocument }) => this.#withTree(textDocument.uri, foldsOf));
    connection.onDocumentLinks(({ textDocument }) => {
      const open = this.#caddyfile(textDocument.uri);
      return open === null ? [] : linksOf(this.#library, open.path);
    });
  }

  #edit(): void {
    this.#connection.onDocumentFormatting(({ textDocument }) => {
      const open = this.#caddyfile(textDocument.uri);
      return open === null ? null : formatEdits(open.document);
    });
    this.#connection.onCodeAction(({ textDocument, context }) => {
      const document = this.#documents.get(textDocument.uri);
      return document === undefined ? [] : fixesFor(document, context.diagnostics);
    });
  }

  #open(uri: string): OpenDocument | null {
    const document = this.#documents.get(uri);
    if (document === undefined) return null;
    const path = pathOf(uri);
    const kind = kindOfDocument(document.languageId, path);
    return kind === null ? null : { document, kind, path };
  }

  #caddyfile(uri: string): OpenDocument | null {
    const open = this.#open(uri);
    return open?.kind === 'caddyfile' ? open : null;
  }

  #withTree<T>(uri: string, make: (document: TextDocument, tree: CaddyfileTree) => T[]): T[] {
    const open = this.#caddyfile(uri);
    const tree = open === null ? undefined : this.#library.file(open.path)?.tree;
    return open === null || tree === undefined ? [] : make(open.document, tree);
  }
}
