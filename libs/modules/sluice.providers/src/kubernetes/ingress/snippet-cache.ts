/** Cache of the nginx adapter's results for snippets. */
import { messageOf, taskOf, unawaited, type JsonObject } from '@sluice/base';
import { readSnippet, snippetConfiguration } from './handlers/snippets.ts';
import type { Snippet } from './objects.ts';

export class SnippetCache {
  readonly #adapt: (configuration: string) => Promise<JsonObject>;
  readonly #onAdapted: (text: string) => void;
  /** Conversion results, keyed by snippet. `null` while the conversion is in progress. */
  readonly #snippets = new Map<string, Snippet | null>();

  constructor(adapt: (configuration: string) => Promise<JsonObject>, onAdapted: (text: string) => void) {
    this.#adapt = adapt;
    this.#onAdapted = onAdapted;
  }

  get(text: string): Snippet | null {
    return this.#snippets.get(text) ?? null;
  }

  /** Starts the conversion of a snippet, unless a result exists or the conversion is in progress. */
  want(text: string): void {
    if (this.#snippets.has(text)) return;
    this.#snippets.set(text, null);
    const done = adaptSnippet(text, this.#adapt).then((snippet) => {
      if (this.#snippets.has(text)) this.#snippets.set(text, snippet);
      this.#onAdapted(text);
    });
    unawaited(taskOf('sluice.providers.ingress'), done);
  }

  forget(text: string): void {
    this.#snippets.delete(text);
  }
}

/** Converts an nginx snippet. Never rejects: the result contains the error of an invalid snippet. */
export function adaptSnippet(text: string, adapt: (configuration: string) => Promise<JsonObject>): Promise<Snippet> {
  return adapt(snippetConfiguration(text)).then(readSnippet, (error: unknown) => ({
    handlers: [],
    error: messageOf(error),
  }));
}
