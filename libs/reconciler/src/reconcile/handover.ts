/** What a build keeps of the generation before it. Until its commit that generation owns what it has, and may be kept whole. */
import type { Component, ListComponent } from './component.ts';

/** Who owns what from the commit on. */
export class Handover {
  readonly #kept: [component: Component, owner: Component][] = [];
  readonly #lists: ListComponent[] = [];
  readonly #departures: [list: ListComponent, departed: readonly Component[]][] = [];

  /** A component goes on under another parent. */
  keep(component: Component, parent: Component): void {
    this.#kept.push([component, parent]);
    parent.adopt(component);
  }

  /** A list has been filled; `made` are the elements that it did not take over. Until the commit it owns only these. */
  filled(list: ListComponent, made: readonly Component[]): void {
    list.departed = made;
    this.#lists.push(list);
  }

  /** A list is replaced, and these elements were not taken over. */
  replaced(list: ListComponent, departed: readonly Component[]): void {
    this.#departures.push([list, departed]);
  }

  /** Makes the new owners own. */
  commit(): void {
    for (const [component, owner] of this.#kept) component.owner = owner;
    for (const [list, departed] of this.#departures) list.departed = departed;
    for (const list of this.#lists) list.departed = null;
  }
}
