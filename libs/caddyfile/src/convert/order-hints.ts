/** Collects directives whose order differs from the default, for example because of the global option `order`. */
import { orderedName } from '../http/ordered-name.ts';
import type { Line } from '../inverse/written.ts';

/** Two directive names in the order that the document requires. */
type Pair = readonly [first: string, second: string];

/** Maximum number of `order` options that the search tries. */
const maxMoves = 12;

/** Collects pairs of directives whose relative order the document requires. */
export class OrderHints {
  readonly #pairs = new Map<string, Pair>();
  readonly #unordered = new Set<string>();

  /** Records that the first directive must precede the second. */
  add(first: string, second: string): void {
    const pair: Pair = [orderedName(first), orderedName(second)];
    if (pair[0] !== pair[1]) this.#pairs.set(pair.join(' '), pair);
  }

  /** Records a directive without a default position. Such a directive requires the global option `order`. */
  addUnordered(name: string): void {
    this.#unordered.add(orderedName(name));
  }

  /** Returns `order` options that satisfy as many of the recorded pairs as possible. Modifies `order`. */
  options(order: string[]): readonly Line[] {
    const lines: Line[] = [];
    for (const name of this.#unordered) {
      order.push(name);
      lines.push({ words: ['order', name, 'last'] });
    }
    for (let moves = 0; moves < maxMoves; moves++) {
      const best = this.#moves(order).toSorted((a, b) => a.wrong - b.wrong)[0];
      if (best === undefined || best.wrong >= this.#wrong(order).length) break;
      order.splice(0, order.length, ...best.order);
      lines.push(best.line);
    }
    return lines;
  }

  #wrong(order: readonly string[]): readonly Pair[] {
    return [...this.#pairs.values()].filter(([first, second]) => order.indexOf(first) > order.indexOf(second));
  }

  /** Returns the possible `order` options. For each pair in the wrong order, either directive can be moved. */
  #moves(order: readonly string[]): readonly { order: readonly string[]; line: Line; wrong: number }[] {
    return this.#wrong(order).flatMap(([first, second]) => {
      const before = moved(order, first, second, 0);
      const after = moved(order, second, first, 1);
      return [
        { order: before, line: { words: ['order', first, 'before', second] }, wrong: this.#wrong(before).length },
        { order: after, line: { words: ['order', second, 'after', first] }, wrong: this.#wrong(after).length },
      ];
    });
  }
}

function moved(order: readonly string[], name: string, neighbour: string, offset: 0 | 1): string[] {
  const others = order.filter((each) => each !== name);
  others.splice(others.indexOf(neighbour) + offset, 0, name);
  return others;
}
