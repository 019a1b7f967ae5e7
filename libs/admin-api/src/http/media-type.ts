/** Media types of request bodies (RFC 9110 §8.3.1). */
import { requestError } from '../errors.ts';

const token = "[!#$%&'*+.^_`|~\\w-]+";
const parameter = `;\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*`;
const mediaType = new RegExp(`^\\s*${token}/(${token})\\s*(?:${parameter})*;?\\s*$`);

/** The type without parameters, in lower case; whatever the header says. For choosing between types we know. */
export function essenceOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** The part after the slash of a well-formed type, in lower case: `text/JSON5; a=b` -> `json5`. Status 400 for others. */
export function subtypeOf(contentType: string): string {
  const subtype = mediaType.exec(contentType)?.[1];
  if (subtype === undefined) {
    throw requestError(`malformed Content-Type ${JSON.stringify(contentType)}: expected "type/subtype; name=value"`);
  }
  return subtype.toLowerCase();
}
