/** Writes databases in the MaxMind DB format, version 2.0, for geolocation tests. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Data types of the MaxMind DB data section. Types above 7 are encoded in an additional byte. */
const type = { string: 2, uint16: 5, uint32: 6, map: 7, uint64: 9, array: 11 } as const;

function header(kind: number, size: number): Buffer {
  if (size >= 285) throw new Error('longer values are not supported');
  const short = Math.min(size, 29);
  const bytes = kind <= 7 ? [(kind << 5) | short] : [short, kind - 7];
  return Buffer.from(size < 29 ? bytes : [...bytes, size - 29]);
}

function integer(kind: number, value: number): Buffer {
  const hex = value === 0 ? '' : value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([header(kind, bytes.length), bytes]);
}

/** Encodes a value. Numbers are encoded as unsigned 32-bit integers. */
function encode(value: Json | Buffer): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'number') return integer(type.uint32, value);
  if (isArray(value)) return Buffer.concat([header(type.array, value.length), ...value.map(encode)]);
  if (isObject(value)) return encodeMap(Object.entries(value));
  const text = Buffer.from(String(value));
  return Buffer.concat([header(type.string, text.length), text]);
}

function encodeMap(entries: readonly (readonly [string, Json | Buffer])[]): Buffer {
  return Buffer.concat([
    header(type.map, entries.length),
    ...entries.flatMap(([key, each]) => [encode(key), encode(each)]),
  ]);
}

type Node = [left: Node | number | null, right: Node | number | null];

/** Creates a database. `networks` maps IPv4 networks such as `192.0.2.0/24` to records. */
export function geoDatabase(databaseType: string, networks: Readonly<Record<string, Json>>): Buffer {
  const root: Node = [null, null];
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, record] of Object.entries(networks)) {
    const [address = '', length = '32'] = network.split('/');
    const bits = address.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0'));
    // The database stores IPv4 addresses under ::/96.
    const path = `${'0'.repeat(96)}${bits.join('')}`.slice(0, 96 + Number(length));
    let node = root;
    for (const bit of path.slice(0, -1)) {
      const side = Number(bit) as 0 | 1;
      const next = node[side];
      node = Array.isArray(next) ? next : (node[side] = [null, null]);
    }
    node[Number(path.at(-1)) as 0 | 1] = size;
    const bytes = encode(record);
    data.push(bytes);
    size += bytes.length;
  }
  const nodes: Node[] = [root];
  for (const node of nodes) for (const side of node) if (Array.isArray(side)) nodes.push(side);
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [i, node] of nodes.entries())
    for (const [side, value] of node.entries()) {
      const record = Array.isArray(value)
        ? nodes.indexOf(value)
        : value === null
          ? nodes.length
          : nodes.length + 16 + value;
      tree.writeUInt32BE(record, i * 8 + side * 4);
    }
  const metadata = encodeMap([
    ['node_count', nodes.length],
    ['record_size', integer(type.uint16, 32)],
    ['ip_version', integer(type.uint16, 6)],
    ['database_type', databaseType],
    ['languages', ['en']],
    ['binary_format_major_version', integer(type.uint16, 2)],
    ['binary_format_minor_version', integer(type.uint16, 0)],
    ['build_epoch', integer(type.uint64, 1_790_000_000)],
    ['description', { en: 'A database of a test.' }],
  ]);
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}
