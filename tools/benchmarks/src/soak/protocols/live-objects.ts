/** Counts live objects by class in heap snapshots. */

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Adds the number of live objects of each class in `counts` to its count. */
export function countLiveObjects(text: string, counts: Map<string, number>): void {
  const { snapshot, nodes, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const type = fields.indexOf('type');
  const name = fields.indexOf('name');
  const object = types[0].indexOf('object');
  const wanted = new Map<number, string>();
  for (const [index, string] of strings.entries()) if (counts.has(string)) wanted.set(index, string);
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at + type] !== object) continue;
    const found = wanted.get(nodes[at + name] ?? -1);
    if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
}
