/** Compares the responses of two servers. */
import type { Played } from './play.ts';
import type { Recorded } from './recording.ts';

/** Returns the differences. Each difference is a request with the lines that only one of the servers returned. */
export function differencesOf(theirs: readonly Recorded[], mine: readonly Played[]): string[] {
  return mine.flatMap((played, index) => differenceOf(theirs[index], played));
}

function differenceOf(recorded: Recorded | undefined, { request, lines }: Played): string[] {
  if (recorded?.request !== request.line) return [`${request.line}\n  is not recorded`];
  const { response, here } = recorded;
  const expected = here ?? response;
  const lengthCounts = expected.some(isLength) && !expected.some(isCoded);
  const [wanted, comparable] = lengthCounts ? [expected, lines] : [withoutLength(expected), withoutLength(lines)];
  const missing = without(wanted, comparable).map((line) => `  - ${line}`);
  const surplus = without(comparable, wanted).map((line) => `  + ${line}`);
  if (missing.length + surplus.length > 0) return [[request.line, ...missing, ...surplus].join('\n')];
  const same = without(response, lines).length + without(lines, response).length === 0;
  return request.settings.differs !== undefined && same ? [`${request.line}\n  is the same, and said to differ`] : [];
}

/** Removes the Content-Length of complete responses, because Caddy sends some of these responses chunked. */
function withoutLength(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !isLength(line));
}

function isLength(line: string): boolean {
  return /^content-length: /i.test(line);
}

/** Reports whether a line contains an encoded body. Different encoders produce different bytes for the same text and coding. */
function isCoded(line: string): boolean {
  return /^content-encoding: /i.test(line);
}

/** Returns the lines that are not in another list. Duplicates count separately. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return lines.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
