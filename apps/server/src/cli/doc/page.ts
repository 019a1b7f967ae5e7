/** Text page for terminals. Wraps paragraphs, and highlights headings if the output is a terminal. */
export class Page {
  readonly #width: number;
  readonly #marks: boolean;
  readonly #lines: string[] = [];

  constructor(width: number, marks: boolean) {
    this.#width = Math.max(40, Math.min(width, 120));
    this.#marks = marks;
  }

  /** Adds an empty line and a heading. */
  heading(text: string): this {
    if (this.#lines.length > 0) this.#lines.push('');
    this.#lines.push(this.strong(text));
    return this;
  }

  /** Adds a wrapped paragraph. `rest` is the additional indentation of continuation lines, in spaces. */
  paragraph(text: string, indent = 0, rest = 0): this {
    let line = ' '.repeat(indent);
    let empty = true;
    for (const word of text.split(/\s+/)) {
      if (!empty && visible(line).length + 1 + visible(word).length > this.#width) {
        this.#lines.push(line);
        line = ' '.repeat(indent + rest);
        empty = true;
      }
      line += empty ? word : ` ${word}`;
      empty = false;
    }
    this.#lines.push(line);
    return this;
  }

  /** Adds lines unchanged. */
  verbatim(text: string, indent = 0): this {
    for (const line of text.split('\n')) this.#lines.push(line === '' ? '' : `${' '.repeat(indent)}${line}`);
    return this;
  }

  /** Highlights a word. */
  strong(text: string): string {
    return this.#marks ? `\u001b[1m${text}\u001b[22m` : text;
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}

/** Removes escape sequences. */
function visible(text: string): string {
  return text.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '');
}
