/**
 * Syntax of `uri query`. The operations `KEY VALUE`, `+KEY VALUE`, `-KEY`, `KEY>NEW` and `KEY FIND REPLACEMENT` can be on the directive's
 * line or in its block.
 */
import { isObject } from '@sluice/base';
import { compact, Draft, objectsIn, words, type Dispenser, type Line, type Term } from '@sluice/caddyfile';

function readOperation(
  [key = '', value, replace]: readonly string[],
  count: number,
  reader: Dispenser,
  draft: Draft,
): void {
  const [sign] = key;
  const arrow = sign === '+' ? -1 : key.indexOf('>');
  const isReplaced = sign !== '-' && sign !== '+' && arrow < 0 && replace !== undefined;
  if (!isReplaced && count !== (sign === '-' || arrow >= 0 ? 1 : 2)) throw reader.argumentError();
  if (sign === '-') draft.push(['delete'], [key.slice(1)]);
  else if (sign === '+') draft.push(['add'], [compact({ key: key.slice(1), val: value })]);
  else if (arrow >= 0) draft.push(['rename'], [{ key: key.slice(0, arrow), val: key.slice(arrow + 1) }]);
  else if (isReplaced) draft.push(['replace'], [compact({ key, search_regexp: value, replace })]);
  else draft.push(['set'], [compact({ key, val: value })]);
}

export const query: Term = {
  shown: '[-|+]<key> [<value>]',
  read(reader, draft) {
    const given = reader.remaining();
    const operations = new Draft();
    if (given.length > 3) throw reader.argumentError();
    if (given.length > 0) readOperation(given, given.length, reader, operations);
    for (const key of reader.block()) {
      if (given.length > 0) throw reader.error('Cannot specify uri query rewrites in both argument and block');
      const values = reader.remaining();
      if (values.length > 2) throw reader.argumentError();
      readOperation([key, ...values], values.length + 1, reader, operations);
    }
    draft.put(['query'], operations.fields, true);
  },
  write(option, { query: found }) {
    if (!isObject(found)) return [];
    const lines = (name: string, write: (key: string, value: string) => readonly string[]): Line[] =>
      objectsIn(found[name]).map(({ key = '', val = '' }) => ({ words: write(String(key), String(val)) }));
    const block = [
      ...lines('rename', (key, value) => [`${key}>${value}`]),
      ...lines('set', (key, value) => [key, value]),
      ...lines('add', (key, value) => [`+${key}`, value]),
      ...objectsIn(found['replace']).map(({ key = '', search_regexp: find = '', replace: to = '' }) => ({
        words: words([key, find, to]),
      })),
      ...words(found['delete']).map((key) => ({ words: [`-${key}`] })),
    ];
    return [{ words: [option], block }];
  },
};
