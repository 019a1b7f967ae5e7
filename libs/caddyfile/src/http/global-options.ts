/** Values of the global options, for use while the document is assembled. */
import type { CaddyfileToken } from '../token.ts';

/** Value of a global option, or `undefined` if the option is not set. */
export type OptionValue<T> = T | undefined;

export class GlobalOptions {
  /** Tokens of the global options block. */
  tokens: readonly CaddyfileToken[] = [];
  readonly #values = new Map<string, unknown>();

  get<T>(name: string): OptionValue<T> {
    return this.#values.get(name) as OptionValue<T>;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /** Returns the last token of an option. If `word` is given, considers only occurrences whose first argument is this word. */
  tokenOf(name: string, word?: string): CaddyfileToken | undefined {
    return this.tokens.findLast(
      ({ text }, at) => text === name && (word === undefined || this.tokens[at + 1]?.text === word),
    );
  }

  get httpPort(): string {
    return String(this.get<number>('http_port') ?? 80);
  }

  get httpsPort(): string {
    return String(this.get<number>('https_port') ?? 443);
  }
}
