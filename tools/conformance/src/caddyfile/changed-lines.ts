/** Changes single lines of a Caddyfile to imitate typical human mistakes. */

export interface ChangedFile {
  readonly change: string;
  readonly text: string;
}

/** Yields every changed version of a text, line by line. */
export function* changedLines(text: string): Generator<ChangedFile, void, void> {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const words = line.trim();
    if (words === '' || words === '}' || words.startsWith('#')) continue;
    const put = (...now: readonly string[]): string =>
      [...lines.slice(0, at), ...now, ...lines.slice(at + 1)].join('\n');
    if (words.endsWith('{')) yield* changedBlocks(lines, at, put);
    else yield* changedWords(line, put);
  }
}

function* changedWords(line: string, put: (...now: readonly string[]) => string): Generator<ChangedFile, void, void> {
  yield { change: 'twice', text: put(line, line) };
  yield { change: 'an additional word', text: put(`${line} zz`) };
  yield { change: 'a missing word', text: put(line.replace(/ +\S+$/, '')) };
  yield { change: 'an empty word', text: put(line.replace(/ *\S+$/, ' ""')) };
  yield { change: 'a different word', text: put(line.replace(/ +\S+$/, ' 12zz')) };
  yield { change: 'an additional block', text: put(`${line} {`, 'zz y', '}') };
  yield { change: 'an additional empty block', text: put(`${line} {`, '}') };
}

function* changedBlocks(
  lines: readonly string[],
  at: number,
  put: (...now: readonly string[]) => string,
): Generator<ChangedFile, void, void> {
  const line = lines[at] ?? '';
  const end = endOfBlock(lines, at);
  const block = lines.slice(at, end + 1);
  yield { change: 'an additional word', text: put(line.replace(/\{$/, 'zz {')) };
  yield {
    change: 'without its block',
    text: [...lines.slice(0, at), line.replace(/ ?\{$/, ''), ...lines.slice(end + 1)].join('\n'),
  };
  yield { change: 'with an empty block', text: [...lines.slice(0, at + 1), ...lines.slice(end)].join('\n') };
  yield { change: 'twice', text: [...lines.slice(0, end + 1), ...block, ...lines.slice(end + 1)].join('\n') };
  yield { change: 'an unknown line in it', text: put(line, 'zz y') };
}

function endOfBlock(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let end = at; end < lines.length; end++) {
    const words = (lines[end] ?? '').trim();
    if (words.endsWith('{')) depth++;
    else if (words === '}') depth--;
    if (depth === 0) return end;
  }
  return lines.length - 1;
}
