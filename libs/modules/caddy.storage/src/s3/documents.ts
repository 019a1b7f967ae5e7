/** XML documents in API responses. */
import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** A page of a listing. Keys and prefixes are decoded. */
export interface ListedPage {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
  /** Continuation token of the next page; `null` on the last page. */
  readonly next: string | null;
}

/** Parses `ListBucketResult`, requested with `encoding-type=url`. */
export function listedIn(text: string): ListedPage {
  const { root } = parseXml(text);
  const more = textOf(root, 'IsTruncated') === 'true';
  // Some servers ignore the requested encoding.
  const name = textOf(root, 'EncodingType') === 'url' ? decode : (plain: string): string => plain;
  return {
    keys: within(root, 'Contents').map((each) => name(textOf(each, 'Key'))),
    folders: within(root, 'CommonPrefixes').map((each) => name(textOf(each, 'Prefix'))),
    next: more ? textOf(root, 'NextContinuationToken') : null,
  };
}

/** Returns code and message of an error; empty if the response contains none. */
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
