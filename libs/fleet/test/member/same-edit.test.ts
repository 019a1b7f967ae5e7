import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { addAt, applyOperations, diff, removeAt, replaceAt } from '@sluice/reconciler';
import { isSameEdit, touches } from '../../src/member/same-edit.ts';

type Edit = (document: Json) => Json;

const document: Json = {
  list: ['a', 'b', 'c'],
  routes: [
    { '@id': 'x', n: 1, tags: ['p', 'q'] },
    { n: 2, list: ['i'] },
    { '@id': 'z', n: 3 },
  ],
  map: { k: 1 },
};

const attempt = (before: Json, edit: Edit) => ({ before, operations: diff(before, edit(before)) });

/** Reports whether `mine` can still be applied as the same edit after `others`. */
function survives(mine: Edit, ...others: Edit[]): boolean {
  let now: Json = document;
  const touched = others.flatMap((other) => {
    const theirs = attempt(now, other);
    now = applyOperations(now, theirs.operations);
    return touches(theirs);
  });
  return isSameEdit(attempt(document, mine), attempt(now, mine), touched);
}

const append =
  (value: Json): Edit =>
  (root) =>
    addAt(root, ['list'], [...((root as { list: readonly Json[] }).list ?? []), value]);
const idIndex = (root: Json): string =>
  String((root as { routes: readonly { '@id'?: string }[] }).routes.findIndex((route) => route['@id'] === 'z'));

describe('isSameEdit', () => {
  const cases: [title: string, mine: Edit, other: Edit, same: boolean][] = [
    [
      'of a key, after another key',
      (root) => addAt(root, ['map', 'k'], 2),
      (root) => addAt(root, ['map', 'l'], 2),
      true,
    ],
    [
      'of a key that others have set',
      (root) => addAt(root, ['map', 'k'], 2),
      (root) => addAt(root, ['map', 'k'], 3),
      true,
    ],
    ['that appends, after another did', append('mine'), append('theirs'), true],
    ['that removes an index, after an append', (root) => removeAt(root, ['list', '1']), append('theirs'), true],
    [
      'that removes an index, after a removal',
      (root) => removeAt(root, ['list', '1']),
      (root) => removeAt(root, ['list', '0']),
      false,
    ],
    [
      'that sets an index that others have set',
      (root) => replaceAt(root, ['list', '1'], 'm'),
      (root) => replaceAt(root, ['list', '1'], 't'),
      false,
    ],
    [
      'that sets another index',
      (root) => replaceAt(root, ['list', '1'], 'm'),
      (root) => replaceAt(root, ['list', '2'], 't'),
      true,
    ],
    ['that inserts where the end was', (root) => addAt(root, ['list', '3'], 'm'), append('theirs'), false],
    [
      'within an element without id that moved',
      (root) => replaceAt(root, ['routes', '1', 'n'], 5),
      (root) => addAt(root, ['routes', '0'], {}),
      false,
    ],
    [
      'within an element by its id that moved',
      (root) => replaceAt(root, ['routes', idIndex(root), 'n'], 5),
      (root) => addAt(root, ['routes', '0'], {}),
      true,
    ],
    [
      'within an index at which another id is now',
      (root) => replaceAt(root, ['routes', '0', 'n'], 5),
      (root) => addAt(root, ['routes', '0'], { '@id': 'new', n: 0 }),
      false,
    ],
    [
      'in an array that was replaced',
      (root) => removeAt(root, ['list', '1']),
      (root) => replaceAt(root, ['list'], { no: 'array' }),
      false,
    ],
    [
      'in an array within an element by its id',
      (root) => removeAt(root, ['routes', '0', 'tags', '0']),
      (root) => removeAt(root, ['routes', '0', 'tags', '1']),
      false,
    ],
    [
      'that appends below an index, after another append there',
      (root) => addAt(root, ['routes', '1', 'list', '-'], 'm'),
      (root) => addAt(root, ['routes', '1', 'list', '-'], 't'),
      true,
    ],
    [
      'that sets a key below an index, after another key there',
      (root) => addAt(root, ['routes', '1', 'mine'], 1),
      (root) => addAt(root, ['routes', '1', 'theirs'], 1),
      true,
    ],
    [
      'that sets a key below an index, after the same key there',
      (root) => replaceAt(root, ['routes', '1', 'n'], 7),
      (root) => replaceAt(root, ['routes', '1', 'n'], 8),
      true,
    ],
    [
      'that sets a key below an index whose element was replaced',
      (root) => replaceAt(root, ['routes', '1', 'n'], 7),
      (root) => replaceAt(root, ['routes', '1'], 'other'),
      false,
    ],
    [
      'that removes an element below which something changed',
      (root) => removeAt(root, ['routes', '1']),
      (root) => replaceAt(root, ['routes', '1', 'n'], 8),
      false,
    ],
    ['in another array', (root) => removeAt(root, ['list', '1']), (root) => removeAt(root, ['routes', '0']), true],
  ];
  for (const [title, mine, other, same] of cases) {
    it(`isSameEdit returns ${same} if ${title}`, () => {
      let survived: boolean;
      try {
        survived = survives(mine, other);
      } catch {
        survived = false; // The edit can't even be applied.
      }
      expect(survived).to.equal(same);
    });
  }
});
