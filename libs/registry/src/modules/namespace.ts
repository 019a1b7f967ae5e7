/** A namespace of modules is a typed token: what is loaded through it is a `T`, never `any`. */

declare const instance: unique symbol;

/** A namespace such as `http.handlers`; the host that loads its modules exports it. */
export interface Namespace<T> {
  /** Dotted name; module ids are `<id>.<name>`. The namespace of apps is the empty text. */
  readonly id: string;
  readonly [instance]?: T;
}

/** Makes the token of a namespace. */
export function namespace<T>(id: string): Namespace<T> {
  return Object.freeze({ id });
}

/** A value that one module provides for those it hosts, or that a thread provides for all; see `Context.use`. */
export interface Token<T> {
  readonly name: string;
  readonly [instance]?: T;
}

/** Makes a token; two tokens of one name are different tokens. */
export function token<T>(name: string): Token<T> {
  return Object.freeze({ name });
}

/** An app's token: its module name in the namespace of apps, and the interface that other apps see of it. */
export interface AppToken<T> extends Token<T> {
  readonly app: true;
}

/** Makes the token of the app `name`. */
export function appToken<T>(name: string): AppToken<T> {
  return Object.freeze({ name, app: true as const });
}

/** The namespace of apps: their ids are their names. */
export const apps: Namespace<object> = namespace<object>('');

/** The id of a module: `http.handlers` + `headers` -> `http.handlers.headers`. */
export function moduleId(of: Namespace<unknown>, name: string): string {
  return of.id === '' ? name : `${of.id}.${name}`;
}
