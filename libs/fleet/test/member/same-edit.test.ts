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
      'of a key after an edit of another key',
      (root) => addAt(root, ['map', 'k'], 2),
      (root) => addAt(root, ['map', 'l'], 2),
      true,
    ],
    [
      'of a key that another edit has set',
      (root) => addAt(root, ['map', 'k'], 2),
      (root) => addAt(root, ['map', 'k'], 3),
      true,
    ],
    ['that appends after another append', append('mine'), append('theirs'), true],
    ['that removes an index after an append', (root) => removeAt(root, ['list', '1']), append('theirs'), true],
    [
      'that removes an index after a removal at a lower index',
      (root) => removeAt(root, ['list', '1']),
      (root) => removeAt(root, ['list', '0']),
      false,
    ],
    [
      'that sets an index that another edit has set',
      (root) => replaceAt(root, ['list', '1'], 'm'),
      (root) => replaceAt(root, ['list', '1'], 't'),
      false,
    ],
    [
      'that sets an index after an edit of another index',
      (root) => replaceAt(root, ['list', '1'], 'm'),
      (root) => replaceAt(root, ['list', '2'], 't'),
      true,
    ],
    [
      'that inserts at the previous end of an array',
      (root) => addAt(root, ['list', '3'], 'm'),
      append('theirs'),
      false,
    ],
    [
      'within a moved element without an ID',
      (root) => replaceAt(root, ['routes', '1', 'n'], 5),
      (root) => addAt(root, ['routes', '0'], {}),
      false,
    ],
    [
      'within a moved element that is addressed by its ID',
      (root) => replaceAt(root, ['routes', idIndex(root), 'n'], 5),
      (root) => addAt(root, ['routes', '0'], {}),
      true,
    ],
    [
      'below an index that now contains an element with another ID',
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
      'in an array within an element after a removal in that array',
      (root) => removeAt(root, ['routes', '0', 'tags', '0']),
      (root) => removeAt(root, ['routes', '0', 'tags', '1']),
      false,
    ],
    [
      'that appends below an index after another append there',
      (root) => addAt(root, ['routes', '1', 'list', '-'], 'm'),
      (root) => addAt(root, ['routes', '1', 'list', '-'], 't'),
      true,
    ],
    [
      'that sets a key below an index after an edit of another key there',
      (root) => addAt(root, ['routes', '1', 'mine'], 1),
      (root) => addAt(root, ['routes', '1', 'theirs'], 1),
      true,
    ],
    [
      'that sets a key below an index after an edit of the same key',
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
      'that removes an element in which a value has changed',
      (root) => removeAt(root, ['routes', '1']),
      (root) => replaceAt(root, ['routes', '1', 'n'], 8),
      false,
    ],
    ['in another array', (root) => removeAt(root, ['list', '1']), (root) => removeAt(root, ['routes', '0']), true],
  ];
  for (const [title, mine, other, same] of cases) {
    it(`isSameEdit returns ${same} for an edit ${title}`, () => {
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
