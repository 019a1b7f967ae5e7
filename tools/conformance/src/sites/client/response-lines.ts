/** A response as lines to compare: content codings are undone, and what is another one each time is left out. */
import { createHash } from 'node:crypto';
import { bodyText, withoutBoundary } from '../../requests/response-lines.ts';

/** Of the moment; of HTTP/3, which is not spoken here; said of framing, which {@link Response.complete} and the body tell. */
const ignored: ReadonlySet<string> = new Set(['date', 'alt-svc', 'transfer-encoding']);

/** Longest body that is shown in full. */
const longest = 3000;

/** What came of a request. */
export interface Response {
  readonly status: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly complete: boolean;
}

/** Its lines. */
export function responseLines({ status, fields, body, complete }: Response): string[] {
  const shown = fields
    .filter(([name]) => !ignored.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${withoutBoundary(value, fields)}`);
  const text = bodyText(body, fields, Number(status));
  const lines =
    text.length > longest
      ? [`body of ${text.length} bytes, ${createHash('sha1').update(text, 'latin1').digest('hex')}`]
      : text.split('\n').map((line) => `| ${line}`);
  return [status, ...shown.toSorted(), ...(complete ? [] : ['cut']), ...(text === '' ? [] : lines)];
}
