/** A response as lines for comparison. Content codings are decoded, and varying parts are removed. */
import { createHash } from 'node:crypto';
import { bodyText, withoutBoundary } from '../../requests/response-lines.ts';

/**
 * Fields that vary (Date), concern HTTP/3, which is not tested here, or concern framing, which {@link
 * Response.complete} and the body indicate.
 */
const ignored: ReadonlySet<string> = new Set(['date', 'alt-svc', 'transfer-encoding']);

/** Maximum length of a body that is shown in full. */
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
