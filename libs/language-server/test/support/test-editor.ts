/** A language client that is connected to a server in this process or in another process. */
import { PassThrough } from 'node:stream';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Json } from '@sluice/base';
import { Registry, type Finding, type Register } from '@sluice/registry';
import { serveEditor, type LanguageServices } from '@sluice/language-server';

export interface EditorOptions {
  readonly register?: readonly Register[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly rehearse?: (document: Json) => Promise<readonly Finding[]>;
}

export async function startEditor({
  register = [],
  environment = {},
  rehearse,
}: EditorOptions = {}): Promise<TestEditor> {
  const registry = new Registry();
  for (const each of register) registry.use(each);
  return editorOf(() => Promise.resolve({ registry, environment, rehearse: rehearse ?? (() => Promise.resolve([])) }));
}

/** Starts a client and a server in this process. The server loads its services with `load`. */
export async function editorOf(load: () => Promise<LanguageServices>): Promise<TestEditor> {
  const [toServer, toEditor] = [new PassThrough(), new PassThrough()];
  const served = serveEditor({ version: '1.2.3', load }, { input: toServer, output: toEditor });
  const editor = new TestEditor(toEditor, toServer, async () => {
    toServer.end();
    await served;
  });
  await editor.initialize();
  return editor;
}

/** Communicates with a language server. `‸` marks the cursor position in texts. */
export class TestEditor {
  readonly connection: ProtocolConnection;
  readonly #documents = new Map<string, TextDocument>();
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  readonly #waiting = new Set<() => void>();
  readonly #listeners: ((published: PublishDiagnosticsParams) => void)[] = [];
  readonly #close: () => Promise<void>;
  capabilities: Record<string, unknown> = {};

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, close: () => Promise<void>) {
    this.connection = createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
    this.#close = close;
    this.connection.onNotification('textDocument/publishDiagnostics', (published: PublishDiagnosticsParams) => {
      this.#published.set(published.uri, published);
      for (const listen of this.#listeners) listen(published);
      for (const wake of this.#waiting) wake();
    });
    this.connection.listen();
  }

  async initialize(): Promise<void> {
    const { capabilities } = await this.connection.sendRequest<{ capabilities: Record<string, unknown> }>(
      'initialize',
      {
        processId: null,
        rootUri: null,
        capabilities: {},
      },
    );
    this.capabilities = capabilities;
    await this.connection.sendNotification('initialized', {});
  }

  /** Opens a document. Returns the cursor position. */
  async open(uri: string, marked: string, languageId = 'caddyfile'): Promise<Position> {
    const at = marked.indexOf('‸');
    const text = marked.replace('‸', '');
    const document = TextDocument.create(uri, languageId, 1, text);
    this.#documents.set(uri, document);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    return document.positionAt(Math.max(at, 0));
  }

  /** Changes parts of a document. */
  async change(uri: string, ...edits: readonly { readonly range: Range; readonly text: string }[]): Promise<void> {
    const document = this.document(uri);
    const version = document.version + 1;
    TextDocument.update(document, [...edits], version);
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: edits,
    });
  }

  async save(uri: string): Promise<void> {
    await this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  async closeDocument(uri: string): Promise<void> {
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  document(uri: string): TextDocument {
    const document = this.#documents.get(uri);
    if (document === undefined) throw new Error(`${uri} is not open`);
    return document;
  }

  /** Returns the diagnostics of the current document version as soon as they satisfy `fits`. */
  async diagnostics(uri: string, fits: (found: readonly Diagnostic[]) => boolean = () => true): Promise<Diagnostic[]> {
    for (;;) {
      const published = this.#published.get(uri);
      if (published?.version === this.document(uri).version && fits(published.diagnostics))
        return published.diagnostics;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** Returns diagnostics as strings that consist of severity, marked text and message. */
  async problems(uri: string, fits?: (found: readonly Diagnostic[]) => boolean): Promise<string[]> {
    const found = await this.diagnostics(uri, fits);
    const severities = ['', 'error', 'warning', 'information', 'hint'];
    return found.map(({ severity = 0, range, message }) => {
      const said = typeof message === 'string' ? message : message.value;
      return `${severities[severity]} '${this.document(uri).getText(range)}': ${said}`;
    });
  }

  /** Calls `listen` with all diagnostics that arrive from now on. */
  onDiagnostics(listen: (published: PublishDiagnosticsParams) => void): void {
    this.#listeners.push(listen);
  }

  /** Sends a request that refers to a document, optionally at a position. */
  ask<T>(method: string, uri: string, more: Readonly<Record<string, unknown>> = {}): Promise<T> {
    return this.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri }, ...more });
  }

  /** Returns the text of a document after the edits are applied. */
  edited(uri: string, edits: readonly TextEdit[]): string {
    return TextDocument.applyEdits(this.document(uri), [...edits]);
  }

  /** Disconnects without a shutdown request, as an editor does when it crashes. */
  async close(): Promise<void> {
    this.connection.dispose();
    await this.#close();
  }
}
