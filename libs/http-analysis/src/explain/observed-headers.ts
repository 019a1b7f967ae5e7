/** Headers that record reads and changes, for explanations. */
import { HeaderMap } from '@sluice/http1';
import type { Observer } from './observer.ts';

/** Headers of an explained request. */
export class ObservedHeaders extends HeaderMap {
  readonly #observer: Observer;

  constructor(fields: HeaderMap, observer: Observer) {
    super();
    this.#observer = observer;
    for (const [name, value] of fields) super.append(name, value);
  }

  override get(name: string): string | undefined {
    return this.#read(name, super.get(name));
  }

  override has(name: string): boolean {
    this.#read(name, super.joined(name));
    return super.has(name);
  }

  override someValue<C>(name: string, test: (value: string, context: C) => boolean, context: C): boolean {
    this.#read(name, super.joined(name));
    return super.someValue(name, test, context);
  }

  override all(name: string): string[] {
    this.#read(name, super.joined(name));
    return super.all(name);
  }

  override joined(name: string, separator?: string): string | undefined {
    return this.#read(name, super.joined(name, separator));
  }

  override set(name: string, value: string): void {
    this.#changing(name, () => super.set(name, value));
  }

  override append(name: string, value: string): void {
    this.#changing(name, () => super.append(name, value));
  }

  override delete(name: string): boolean {
    return this.#changing(name, () => super.delete(name));
  }

  override deleteWhere(matches: (name: string) => boolean): void {
    for (const name of new Set(this.names)) if (matches(name)) this.delete(name);
  }

  override clear(): void {
    this.deleteWhere(() => true);
  }

  override clone(): HeaderMap {
    for (const name of new Set(this.names)) this.#read(name, super.joined(name));
    return super.clone();
  }

  #read(name: string, value: string | undefined): string | undefined {
    this.#observer.read(`header.${name}`, value);
    return value;
  }

  #changing<T>(name: string, change: () => T): T {
    const before = super.joined(name);
    const result = change();
    this.#observer.change(`header.${name}`, before, super.joined(name));
    return result;
  }
}
