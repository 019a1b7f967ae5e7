/**
 * Dead WebDAV properties, which clients set (RFC 4918 §4.1). Stored in the data directory, in a mirror of the root directory's tree. One
 * rename moves the properties of a whole collection.
 */
import { createHash, randomUUID } from 'node:crypto';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { decodeBytes, encodeBytes, fileName, makeDirectory } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { isReserved, reservedPrefix } from './resource.ts';

/** File name for properties. It is reserved, so no resource can have this name. */
const propertiesFile = `${reservedPrefix}properties`;

/** Maximum total length of a resource's properties, in characters. */
export const maxProperties = 65_536;

/** Dead properties of a resource: serialized XML elements, keyed by namespace and name. */
export type Properties = Map<string, string>;

/** Returns the map key of a property. The separator is a line break, which namespaces can contain but property names can't. */
export function propertyKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

/** Property store for the resources below one root directory. */
export class PropertyStore {
  readonly #root: string;
  readonly #folder: string;

  /** `directory` contains the property stores of all roots. */
  constructor(root: string, directory: string) {
    this.#root = root;
    this.#folder = join(directory, createHash('sha256').update(encodeBytes(root)).digest('hex').slice(0, 32));
  }

  async read(path: string): Promise<Properties> {
    let text: string;
    try {
      text = await readFile(fileName(join(this.#mirror(path), propertiesFile)), 'utf8');
    } catch (error) {
      if (isAbsent(error)) return new Map();
      throw error;
    }
    return parse(text);
  }

  async write(path: string, properties: Properties): Promise<void> {
    const folder = this.#mirror(path);
    const file = join(folder, propertiesFile);
    if (properties.size === 0) {
      await rm(fileName(file), { force: true });
      return;
    }
    if (!path.isWellFormed()) throw new HttpError(403, 'cannot set properties: the file name is not valid UTF-8');
    await makeDirectory(folder);
    const temporary = `${file}-${randomUUID()}`;
    await writeFile(fileName(temporary), JSON.stringify([...properties]), { mode: 0o600 });
    await rename(fileName(temporary), fileName(file));
  }

  /** Returns the names of collection members that may have dead properties. */
  async membersWithProperties(path: string): Promise<ReadonlySet<string>> {
    try {
      const names = await readdir(fileName(this.#mirror(path)), { encoding: 'buffer' });
      return new Set(names.map(decodeBytes).filter((name) => !isReserved(name)));
    } catch (error) {
      if (isAbsent(error)) return noNames;
      throw error;
    }
  }

  /** Removes the properties of a resource and of all resources below it. */
  async remove(path: string): Promise<void> {
    await rm(fileName(this.#mirror(path)), { recursive: true, force: true });
  }

  /** Moves the properties of a resource and of all resources below it. Replaces the properties of the destination. */
  async move(from: string, to: string): Promise<void> {
    await this.remove(to);
    try {
      await rename(fileName(this.#mirror(from)), fileName(this.#mirror(to)));
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (!(await this.#hasAny(from))) return;
      await makeDirectory(dirname(this.#mirror(to)));
      await rename(fileName(this.#mirror(from)), fileName(this.#mirror(to)));
    }
  }

  /**
   * Copies the properties of a resource. If `tree` is true, also copies the properties of all resources below it. Replaces the properties
   * of the destination.
   */
  async copy(from: string, to: string, tree: boolean): Promise<void> {
    await this.remove(to);
    if (!tree) {
      const properties = await this.read(from);
      if (properties.size > 0) await this.write(to, properties);
      return;
    }
    if (!(await this.#hasAny(from))) return;
    await makeDirectory(dirname(this.#mirror(to)));
    // `cp` accepts only strings. If a path is not valid UTF-8, its properties are not copied.
    if (from.isWellFormed() && to.isWellFormed()) await cp(this.#mirror(from), this.#mirror(to), { recursive: true });
  }

  async #hasAny(path: string): Promise<boolean> {
    try {
      return (await readdir(fileName(this.#mirror(path)))).length > 0;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }

  #mirror(path: string): string {
    return join(this.#folder, relative(this.#root, path));
  }
}

const noNames: ReadonlySet<string> = new Set();

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Parses a property file. Treats an unreadable file as empty, because clients can set the properties again. */
function parse(text: string): Properties {
  const properties: Properties = new Map();
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return properties;
  }
  if (!Array.isArray(entries)) return properties;
  for (const entry of entries as unknown[]) {
    const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof key === 'string' && typeof value === 'string') properties.set(key, value);
  }
  return properties;
}
