/** Extracts Caddyfiles that are embedded in other files. */

/** A Caddyfile extracted from a documentation file. */
export interface DocumentedBlock {
  /** File and line of the code block. */
  readonly place: string;
  readonly text: string;
}

const fence = /^([ \t]*)```(caddy|caddy-d|caddyfile)[ \t]*$/;

/**
 * Returns the Caddyfiles in a file: the upper half of a `.caddyfiletest` file, or the code blocks of a Markdown file. Wraps a block of
 * directives (`caddy-d`) in a site block.
 */
export function blocksOf(file: string, content: string): DocumentedBlock[] {
  if (file.endsWith('.caddyfiletest')) return [{ place: `${file}:1`, text: content.split(/^-{10}\s*$/m)[0] ?? '' }];
  const blocks: DocumentedBlock[] = [];
  const lines = content.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, indentation, language] = fence.exec(lines[at] ?? '') ?? [];
    if (language === undefined) continue;
    const begin = at + 1;
    while (at + 1 < lines.length && (lines[at + 1] ?? '').trim() !== '```') at++;
    const code = lines
      .slice(begin, at + 1)
      .map((line) => line.slice(indentation !== '' && line.startsWith(indentation ?? '') ? indentation?.length : 0));
    const text = `${code.join('\n')}\n`;
    blocks.push({ place: `${file}:${begin}`, text: language === 'caddy-d' ? `example.com {\n${text}}\n` : text });
    at++;
  }
  return blocks;
}
