/** Locates the values of a JSON file in its text. */
import type { ConfigPath } from '@sluice/base';
import type { ConfigSources, SourcePlace } from '@sluice/contracts';
import { parseJson, spanAt, type JsonNode } from '@sluice/language-server/json';

/** Source locations of the values in a JSON or JSON5 file. */
export class JsonSources implements ConfigSources {
  readonly #file: string;
  readonly #root: JsonNode | null;
  /** Offsets of the line starts in the text. */
  readonly #lines: readonly number[];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#root = parseJson(text, false).root;
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  placeOf(path: ConfigPath): SourcePlace | null {
    if (this.#root === null) return null;
    const { start } = spanAt(this.#root, path);
    let line = this.#lines.length - 1;
    while ((this.#lines[line] ?? 0) > start) line--;
    return { file: this.#file, line: line + 1, column: start - (this.#lines[line] ?? 0) + 1 };
  }
}
