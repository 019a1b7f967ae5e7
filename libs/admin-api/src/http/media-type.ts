import { requestError } from '../errors.ts';

const token = "[!#$%&'*+.^_`|~\\w-]+";
const parameter = `;\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*`;
const mediaType = new RegExp(`^\\s*${token}/(${token})\\s*(?:${parameter})*;?\\s*$`);

/** Returns the lowercase type without parameters and without validation, for selecting among known types. */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** Returns the subtype of a valid media type, in lower case: `text/JSON5; a=b` -> `json5`. Rejects other values with status 400. */
export function subtypeOf(contentType: string): string {
  const subtype = mediaType.exec(contentType)?.[1];
  if (subtype === undefined) {
    throw requestError(`malformed Content-Type ${JSON.stringify(contentType)}: expected "type/subtype; name=value"`);
  }
  return subtype.toLowerCase();
}
