/** Parses XML documents in S3 responses. */
import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** One page of a bucket listing. Its keys and prefixes are already decoded. */
export interface ListedPage {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
  /** Continuation token for the next page, or `null` on the last page. */
  readonly next: string | null;
}

/** Parses a `ListBucketResult` document that was requested with `encoding-type=url`. */
export function listedIn(text: string): ListedPage {
  const { root } = parseXml(text);
  const more = textOf(root, 'IsTruncated') === 'true';
  // Some servers ignore the requested encoding, so check the encoding of the response.
  const name = textOf(root, 'EncodingType') === 'url' ? decode : (plain: string): string => plain;
  return {
    keys: within(root, 'Contents').map((each) => name(textOf(each, 'Key'))),
    folders: within(root, 'CommonPrefixes').map((each) => name(textOf(each, 'Prefix'))),
    next: more ? textOf(root, 'NextContinuationToken') : null,
  };
}

/** Returns the code and message of an error document. Returns an empty string if the response contains none. */
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
