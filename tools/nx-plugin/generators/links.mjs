/** Finds broken links in documents. A link is broken if its file or heading is missing. */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Removes code blocks and code spans. @param {string} text */
function withoutCode(text) {
  return text.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2$/gm, '').replaceAll(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');
}

/** Returns the heading anchors, as GitHub generates them. @param {string} text */
export function anchorsOf(text) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const bare = text.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2$/gm, '');
  const anchors = [...bare.matchAll(/^#{1,6} +(.*?) *#*$/gm)].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]|\\(?=[<{|*_])/g, '');
    const slug = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set([...anchors, ...[...bare.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)]);
}

/** Returns the link and image targets verbatim. @param {string} text */
export function linksOf(text) {
  const bare = withoutCode(text);
  const inline = [...bare.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(([, target = '']) => target);
  const defined = [...bare.matchAll(/^ {0,3}\[[^\]]+\]:\s+(\S+)/gm)].map(([, target = '']) => target);
  const html = [...bare.matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  return [...inline, ...defined, ...html];
}

/**
 * Returns a message for each broken link.
 * @param {ReadonlyMap<string, string>} documents texts by path @param {string} root base directory of the paths
 * @returns {string[]}
 */
export function brokenLinks(documents, root) {
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  const anchorsIn = (/** @type {string} */ path) => {
    const known = anchors.get(path) ?? anchorsOf(documents.get(path) ?? '');
    anchors.set(path, known);
    return known;
  };
  return [...documents].flatMap(([path, text]) =>
    linksOf(text).flatMap((target) => {
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      const wanted = file === '' ? path : normalize(join(dirname(path), decodeURIComponent(file)));
      if (!documents.has(wanted) && !existsSync(join(root, wanted))) return [`${path}: there is no ${target}`];
      if (anchor === undefined || anchor === '') return [];
      if (!documents.has(wanted)) {
        const folder = statSync(join(root, wanted)).isDirectory();
        return folder || wanted.endsWith('.md') ? [`${path}: ${target} has no headings`] : [];
      }
      return anchorsIn(wanted).has(decodeURIComponent(anchor)) ? [] : [`${path}: ${wanted} has no heading ${anchor}`];
    }),
  );
}
