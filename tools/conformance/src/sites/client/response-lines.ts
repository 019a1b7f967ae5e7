/** Converts a response to lines for comparison. Decodes content codings and removes values that vary. */
import { createHash } from 'node:crypto';
import { bodyText, withoutBoundary } from '../../requests/response-lines.ts';

/**
 * Header fields to ignore. Date varies. Alt-Svc concerns HTTP/3, which is not tested here. {@link Response.complete} and the body indicate
 * the framing.
 */
const ignored: ReadonlySet<string> = new Set(['date', 'alt-svc', 'transfer-encoding']);

/** Maximum length of a body that is included in full. */
const maxLength = 3000;

export interface Response {
  readonly status: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly complete: boolean;
}

export function responseLines({ status, fields, body, complete }: Response): string[] {
  const shown = fields
    .filter(([name]) => !ignored.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${withoutBoundary(value, fields)}`);
  const text = bodyText(body, fields, Number(status));
  const lines =
    text.length > maxLength
      ? [`body of ${text.length} bytes, ${createHash('sha1').update(text, 'latin1').digest('hex')}`]
      : text.split('\n').map((line) => `| ${line}`);
  return [status, ...shown.toSorted(), ...(complete ? [] : ['cut']), ...(text === '' ? [] : lines)];
}
