/** URLs and email addresses that become links without markup: `http://…`, `www.…`, `name@example.com` (GFM §6.9). */
import type { MarkdownIt } from 'markdown-it';

const path = '(?:[/#?][-a-zA-Z0-9@:%_+.~#$!?&/=();,\'">^{}[\\]`]*)?';
const host = '[-a-zA-Z0-9@:%._+~#=]{1,256}\\.[a-z]+(?::\\d+)?';
const address = new RegExp(
  `(?<=^|[\\s*_~(])(?:((?:https?|ftp)://${host}${path})|(www\\.${host}${path})|([a-zA-Z0-9._+-]{1,64}@[a-zA-Z0-9-]{1,63}(?:\\.[a-zA-Z0-9-]{1,63})+))`,
  'g',
);

/** A link found in a text, in the format that the linkify rule of markdown-it expects. */
interface Found {
  readonly schema: string;
  readonly index: number;
  readonly lastIndex: number;
  readonly raw: string;
  readonly text: string;
  readonly url: string;
}

function findAddresses(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(address)) {
    const [whole, url, www] = match;
    const shown = www === undefined && url === undefined ? trimMail(whole) : trimEnd(whole);
    if (shown === '') continue;
    const prefix = url === undefined ? (www === undefined ? 'mailto:' : 'http://') : '';
    const { index } = match;
    found.push({ schema: '', index, lastIndex: index + shown.length, raw: shown, text: shown, url: prefix + shown });
  }
  return found;
}

/** Removes punctuation at the end of an address, including an unmatched closing parenthesis. */
function trimEnd(address: string): string {
  for (let text = address; ;) {
    let shorter = text.replace(/(?:[?!.,:*_~'"]|&[a-zA-Z0-9]+;)$/, '');
    if (shorter.endsWith(')') && count(shorter, ')') > count(shorter, '(')) shorter = shorter.slice(0, -1);
    if (shorter === text) return text;
    text = shorter;
  }
}

function trimMail(address: string): string {
  const text = address.replace(/\.+$/, '');
  return /[-_]$/.test(text) ? '' : text;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Replaces the link detection of markdown-it. */
export function autolinks(md: MarkdownIt): void {
  md.inline.ruler.disable('linkify');
  Object.assign(md.linkify, {
    test: (text: string) => findAddresses(text).length > 0,
    pretest: () => true,
    match: findAddresses,
  });
}
