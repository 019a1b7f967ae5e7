/** Counts live objects by class in heap snapshots. */

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/**
 * Adds the number of live instances of each class in `counts` to its count. A snapshot can contain the prototype of a class under the name of
 * the class. Unlike instances, a prototype has its own property `constructor`.
 */
export function countLiveObjects(text: string, counts: Map<string, number>): void {
  const { snapshot, nodes, edges, strings } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types, edge_fields: edgeFields, edge_types: edgeTypes } = snapshot.meta;
  const type = fields.indexOf('type');
  const name = fields.indexOf('name');
  const edgeCount = fields.indexOf('edge_count');
  const object = types[0].indexOf('object');
  const property = edgeTypes[0].indexOf('property');
  const edgeType = edgeFields.indexOf('type');
  const edgeName = edgeFields.indexOf('name_or_index');
  const wanted = new Map<number, string>();
  for (const [index, string] of strings.entries()) if (counts.has(string)) wanted.set(index, string);
  const isConstructor = (edge: number): boolean =>
    edges[edge + edgeType] === property && strings[edges[edge + edgeName] ?? -1] === 'constructor';
  let edge = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const end = edge + (nodes[at + edgeCount] ?? 0) * edgeFields.length;
    const found = nodes[at + type] === object ? wanted.get(nodes[at + name] ?? -1) : undefined;
    let isPrototype = false;
    if (found !== undefined) for (let i = edge; i < end; i += edgeFields.length) isPrototype ||= isConstructor(i);
    if (found !== undefined && !isPrototype) counts.set(found, (counts.get(found) ?? 0) + 1);
    edge = end;
  }
}
