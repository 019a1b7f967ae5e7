/** The language server: what an editor asks for, and which part answers it. */
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CaddyfileTree } from './caddyfile/tree.ts';
import { Checker } from './diagnostics/checker.ts';
import { kindOfDocument, type DocumentKind } from './documents/kind.ts';
import { Library, pathOf } from './documents/library.ts';
import { fixesFor } from './features/fixes.ts';
import { formatEdits } from './features/format.ts';
import { definitionsAt, linksOf, referencesAt, renameAt, renamedAt } from './features/navigation.ts';
import { foldsOf, symbolsOf } from './features/outline.ts';
import type { LanguageServices } from './services.ts';
import { rangeOf } from './text/span.ts';

/** Streams that an editor speaks over: standard input and output. */
export interface EditorStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Serves an editor until it leaves. `services` are made when the first document is checked. */
export async function serveEditor(services: LanguageServices, { input, output }: EditorStreams): Promise<void> {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  const server = new LanguageServer(services, connection);
  server.listen();
  await new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
  });
  server.close();
}

/** An open document and what it is. */
interface OpenDocument {
  readonly document: TextDocument;
  readonly kind: DocumentKind;
  readonly path: string;
}

class LanguageServer {
  readonly #services: LanguageServices;
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #library = new Library();
  readonly #checker: Checker;

  constructor(services: LanguageServices, connection: Connection) {
    this.#services = services;
    this.#connection = connection;
    this.#checker = new Checker(services, this.#library, ({ uri, version }, diagnostics) => {
      void connection.sendDiagnostics({ uri, version, diagnostics });
    });
  }

  listen(): void {
    this.#connection.onInitialize(() => this.#capabilities());
    this.#followDocuments();
    this.#navigate();
    this.#outline();
    this.#edit();
    this.#documents.listen(this.#connection);
    this.#connection.listen();
  }

  close(): void {
    this.#checker.close();
    this.#connection.dispose();
  }

  #capabilities(): InitializeResult {
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentFormattingProvider: true,
        documentLinkProvider: {},
        codeActionProvider: { codeActionKinds: ['quickfix'] },
      },
      serverInfo: { name: 'sluice', version: this.#services.version },
    };
  }

  #followDocuments(): void {
    const known = new Set<string>();
    this.#documents.onDidChangeContent(({ document }) => {
      this.#library.open(document);
      this.#checker.check(document, known.has(document.uri) ? 'changed' : 'opened');
      known.add(document.uri);
    });
    this.#documents.onDidSave(({ document }) => this.#checker.check(document, 'saved'));
    this.#documents.onDidClose(({ document }) => {
      known.delete(document.uri);
      this.#library.close(document.uri);
      this.#checker.drop(document);
    });
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
