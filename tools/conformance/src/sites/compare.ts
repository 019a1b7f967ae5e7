/** Finds where two servers differ. */
import type { Played } from './play.ts';
import type { Recorded } from './recording.ts';

/** Differences: each names the request, and the lines that one of the two has and the other has not. */
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

/** A response that has come whole has its length here, also where the reference sends it in chunks. */
function withoutLength(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !isLength(line));
}

function isLength(line: string): boolean {
  return /^content-length: /i.test(line);
}

/** Encoders of the same coding make other bytes of the same text. */
function isCoded(line: string): boolean {
  return /^content-encoding: /i.test(line);
}

/** The lines that are not in another list, each as often as it stands there. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return lines.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
