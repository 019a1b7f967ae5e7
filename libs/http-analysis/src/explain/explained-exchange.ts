/** Exchange for explanations, which records reads and changes of the request. */
import { HeaderMap, type RequestHead } from '@sluice/http1';
import { type Captures, type ConnectionInfo, Exchange, withholdExternal } from '@sluice/http-app';
import { redacted } from '@sluice/base';
import { bodyOf } from './request-body.ts';
import type { Facts } from './facts.ts';
import { ObservedHeaders } from './observed-headers.ts';
import type { Observer } from './observer.ts';
import type { RecordedResponse } from './recorded-response.ts';

export interface ExplainedParts {
  readonly head: RequestHead;
  readonly facts: Facts;
  readonly connection: ConnectionInfo;
  readonly response: RecordedResponse;
  readonly observer: Observer;
}

/** A request in an observed handler chain. */
export class ExplainedExchange extends Exchange {
  readonly #facts: Facts;
  readonly #observer: Observer;

  constructor({ head, facts, connection, response, observer }: ExplainedParts) {
    const { hidden: other } = facts.standIns;
    const headers = new ObservedHeaders(other === null ? head.headers : unhidden(head.headers, other), observer);
    super({ ...head, headers }, connection, response, bodyOf(facts));
    this.#facts = facts;
    this.#observer = observer;
    if (facts.body === undefined) observer.taint('body', 'body');
    // If the client has restricted rights, treat values from files and environment variables as unknown.
    if (facts.confined) withholdExternal(this, (kind) => observer.fact(kind, false));
    taintHidden(this, head, observer);
    observe(this, 'method', observer);
    observe(this, 'host', observer);
    observe(this, 'query', observer);
    observe(this, 'body', observer);
  }

  override get rawPath(): string {
    const value = super.rawPath;
    this.#observer.read('path', value);
    return value;
  }

  override set rawPath(value: string) {
    this.#observer.change('path', super.rawPath, value);
    super.rawPath = value;
  }

  override get path(): string {
    const value = super.path;
    this.#observer.read('path', value);
    return value;
  }

  override get uri(): string {
    const value = super.uri;
    this.#observer.read('path', super.rawPath);
    return value;
  }

  override get clientIp(): string {
    this.#observer.fact('client address', this.#facts.client !== null);
    const value = super.clientIp;
    this.#observer.read('client_ip', this.#facts.client === null ? null : value);
    return value;
  }

  override get uuid(): string {
    this.#observer.fact('random', false);
    return super.uuid;
  }

  override now(): number {
    this.#observer.fact('time', this.#facts.time !== null);
    return this.#facts.time ?? super.now() + this.#facts.standIns.time;
  }

  override variable(name: string): unknown {
    const value = super.variable(name);
    this.#observer.read(`vars.${name}`, value);
    return value;
  }

  override setVariable(name: string, value: unknown): void {
    this.#observer.change(`vars.${name}`, super.variable(name), value);
    super.setVariable(name, value);
  }

  override placeholder(name: string): unknown {
    const value = super.placeholder(name);
    this.#observer.read(`placeholder.${name}`, value);
    return value;
  }

  override setPlaceholder(name: string, value: unknown): void {
    this.#observer.change(`placeholder.${name}`, null, value);
    super.setPlaceholder(name, value);
  }

  override captures(name: string): Captures | undefined {
    const value = super.captures(name);
    this.#observer.read(`captures.${name}`, value?.group('0'));
    return value;
  }

  override setCaptures(name: string, captures: Captures): void {
    this.#observer.change(`captures.${name}`, null, captures.group('0'));
    if (name !== '') this.#observer.change('captures.', null, captures.group('0'));
    super.setCaptures(name, captures);
  }

  override reportFault(): void {}
}

/** Placeholders that replace secrets in recorded requests. They represent unknown values. */
const hidden: readonly string[] = ['***', redacted];

function isHidden(value: string): boolean {
  return hidden.includes(value) || value.includes(redacted);
}

/** Returns a copy of headers in which `other` replaces unknown values. */
function unhidden(fields: HeaderMap, other: string): HeaderMap {
  const known = new HeaderMap();
  for (const [name, value] of fields) known.append(name, isHidden(value) ? other : value);
  return known;
}

function taintHidden(exchange: Exchange, { headers }: RequestHead, observer: Observer): void {
  for (const [name, value] of headers) if (isHidden(value)) observer.taint(`header.${name}`, `header ${name}`);
  if (hidden.some((each) => exchange.originalQuery?.includes(`=${each}`) === true)) observer.taint('query', 'query');
}

/** Records reads and changes of a field of the exchange. */
function observe(exchange: Exchange, name: 'method' | 'host' | 'query' | 'body', observer: Observer): void {
  let value: unknown = exchange[name];
  const observed = (each: unknown, what: string): unknown => (name === 'body' ? what : each);
  Object.defineProperty(exchange, name, {
    enumerable: true,
    get: () => {
      observer.read(name, observed(value, '(body)'));
      return value;
    },
    set: (next: unknown) => {
      observer.change(name, observed(value, '(body)'), observed(next, '(different body)'));
      value = next;
    },
  });
}
