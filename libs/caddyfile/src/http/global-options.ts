/** Values of global options while a file is assembled. */
import type { CaddyfileToken } from '../token.ts';

/** The value of an option that may not be set. */
export type OptionValue<T> = T | undefined;

/** By name of the option. */
export class GlobalOptions {
  /** Of the block that they stand in. */
  tokens: readonly CaddyfileToken[] = [];
  readonly #values = new Map<string, unknown>();

  /** The value of an option, or `undefined`. The caller knows its type. */
  get<T>(name: string): OptionValue<T> {
    return this.#values.get(name) as OptionValue<T>;
  }

  /** Whether an option was set. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Sets an option. */
  set(name: string, value: unknown): void {
    this.#values.set(name, value);
  }

  /** Returns where an option was written last; with a `word`, where it was the option's first argument. */
  tokenOf(name: string, word?: string): CaddyfileToken | undefined {
    return this.tokens.findLast(
      ({ text }, at) => text === name && (word === undefined || this.tokens[at + 1]?.text === word),
    );
  }

  /** The port of plain HTTP. */
  get httpPort(): string {
    return String(this.get<number>('http_port') ?? 80);
  }

  get httpsPort(): string {
    return String(this.get<number>('https_port') ?? 443);
  }
}
