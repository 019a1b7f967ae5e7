/** Computes flame graphs from V8 CPU profiles. */

/** V8 CPU profile, as returned by `GET /debug/pprof/profile`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

/** A function's box in a flame graph, drawn below the caller's box. */
export interface Box {
  readonly id: number;
  readonly name: string;
  readonly place: string;
  readonly depth: number;
  /** Position and width as fractions of the total, from 0 to 1. */
  readonly left: number;
  readonly width: number;
  readonly milliseconds: number;
}

/** Minimum width of a box, as a fraction. Narrower boxes would be invisible. */
const minWidth = 0.002;

/** Returns all boxes of a flame graph. Callers come before their callees. */
export function boxesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Box[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<number, number>();
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  const totals = new Map<number, number>();
  // Iterate backward, because callers precede their callees in the profile.
  for (const { id, children = [] } of nodes.toReversed())
    totals.set(id, (times.get(id) ?? 0) + children.reduce((sum, child) => sum + (totals.get(child) ?? 0), 0));
  const root = nodes[0];
  const whole = root === undefined ? 0 : (totals.get(root.id) ?? 0);
  const boxes: Box[] = [];
  const visit = (id: number, depth: number, left: number): void => {
    const node = byId.get(id);
    const milliseconds = totals.get(id) ?? 0;
    if (node === undefined || whole === 0 || milliseconds / whole < minWidth) return;
    const { functionName, url, lineNumber } = node.callFrame;
    const place = url === '' ? '' : `${url.replace(/^.*\//, '')}:${lineNumber + 1}`;
    boxes.push({
      id,
      name: functionName || '(anonymous)',
      place,
      depth,
      left,
      width: milliseconds / whole,
      milliseconds,
    });
    let at = left;
    for (const child of node.children ?? []) {
      visit(child, depth + 1, at);
      at += (totals.get(child) ?? 0) / whole;
    }
  };
  if (root !== undefined) visit(root.id, 0, 0);
  return boxes;
}
