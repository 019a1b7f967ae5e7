/** The XML that the API responds with. */
import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** What a list has. Keys and folders are decoded, folders with a slash at the end. */
export interface ListedPage {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
  /** What the next page is asked with; `null` after the last. */
  readonly next: string | null;
}

/** Reads `ListBucketResult`, asked for with `encoding-type=url`. */
export function listedIn(text: string): ListedPage {
  const { root } = parseXml(text);
  const more = textOf(root, 'IsTruncated') === 'true';
  // Not all servers do as they are asked.
  const name = textOf(root, 'EncodingType') === 'url' ? decode : (plain: string): string => plain;
  return {
    keys: within(root, 'Contents').map((each) => name(textOf(each, 'Key'))),
    folders: within(root, 'CommonPrefixes').map((each) => name(textOf(each, 'Prefix'))),
    next: more ? textOf(root, 'NextContinuationToken') : null,
  };
}

/** What an error says: its code and message. Empty where a response has no such body. */
export function reasonIn(text: string): string {
  if (!text.includes('<Error>')) return '';
  try {
    const { root } = parseXml(text);
    return `${textOf(root, 'Code')}: ${textOf(root, 'Message')}`;
  } catch {
    return '';
  }
}

function within(element: XmlElement | null, name: string): XmlElement[] {
  const children = element?.children ?? [];
  return children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
}

function textOf(element: XmlElement | null, name: string): string {
  return within(element, name)[0]?.text ?? '';
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
