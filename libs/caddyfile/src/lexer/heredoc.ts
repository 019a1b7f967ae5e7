/** Heredocs in Caddyfiles: `<<NAME`, verbatim lines, and NAME again. The indentation of the closing NAME is removed from every line. */
import { CaddyfileError } from '../errors.ts';

/** The marker of a heredoc, and the start of its first line. */
export interface Marker {
  readonly name: string;
  readonly bodyAt: number;
}

/** File and line of a heredoc. */
export interface HeredocPlace {
  readonly file: string;
  readonly line: number;
}

/** Parses the heredoc marker after `<<`. Returns `null` if the text is an ordinary word. */
export function markerOf(text: string, from: number, { file, line }: HeredocPlace): Marker | null {
  let at = from;
  while (at < text.length && !/[^\S\r]/u.test(text.charAt(at))) at++;
  if (text.charAt(at) !== '\n') return null;
  const name = text.slice(from, at).replaceAll('\r', '');
  if (/^[\w-]+$/.test(name)) return { name, bodyAt: at + 1 };
  const rule = 'must contain only alphanumeric characters, dashes and underscores; got';
  throw new CaddyfileError(
    name === ''
      ? `missing opening heredoc marker on line #${line}; ${rule} empty string`
      : name.startsWith('<')
        ? `too many '<' for heredoc on line #${line}; only use two, for example <<END`
        : `heredoc marker on line #${line} ${rule} '${name}'`,
    { file, line, column: 1 },
  );
}

/** Returns the text between the heredoc markers. Removes the closing marker's indentation and the last line break. */
export function unindent(body: string, name: string, { file, line }: HeredocPlace): string {
  const lines = body.replaceAll('\r', '').split('\n');
  const indentation = lines.pop() ?? '';
  const shortened = lines.map((each, index) => {
    if (each === '') return '';
    if (each.startsWith(indentation)) return each.slice(indentation.length);
    throw new CaddyfileError(
      `mismatched leading whitespace in heredoc <<${name} on line #${line + index + 1} [${each}], expected whitespace [${indentation}] to match the closing marker`,
      { file, line: line + index + 1, column: 1 },
    );
  });
  return shortened.join('\n');
}
