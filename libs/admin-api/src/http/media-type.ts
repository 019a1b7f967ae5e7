import { requestError } from '../errors.ts';

const token = "[!#$%&'*+.^_`|~\\w-]+";
const parameter = `;\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*`;
const mediaType = new RegExp(`^\\s*${token}/(${token})\\s*(?:${parameter})*;?\\s*$`);

/**
 * Returns the media type in lowercase without its parameters. Does not validate the media type, because callers only compare it with known
 * types.
 */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1).join('').trim().toLowerCase();
}

/**
 * Returns the lowercase subtype of a media type. For example, `text/JSON5; a=b` yields `json5`. Rejects an invalid media type with status
 * 400.
 */
export function subtypeOf(contentType: string): string {
  const subtype = mediaType.exec(contentType)?.[1];
  if (subtype === undefined) {
    throw requestError(`malformed Content-Type ${JSON.stringify(contentType)}: expected "type/subtype; name=value"`);
  }
  return subtype.toLowerCase();
}
