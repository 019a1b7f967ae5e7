/** `.RespHeader` of templates: the response header fields. */
import type { HeaderMap } from '@sluice/http1';
import { goType } from '@sluice/text-template';
import { GoHeader, textOf } from './request-data.ts';

/** Response header fields. Methods that modify the fields return an empty string to the template. */
export class ResponseFields {
  static {
    Object.defineProperty(ResponseFields.prototype, goType, { value: 'templates.WrappedHeader' });
  }

  readonly Header: GoHeader;
  readonly #headers: HeaderMap;

  constructor(headers: HeaderMap) {
    this.Header = GoHeader.of(headers);
    this.#headers = headers;
  }

  Add(name: unknown, value: unknown): string {
    this.#headers.append(textOf(name).toLowerCase(), textOf(value));
    return '';
  }

  Set(name: unknown, value: unknown): string {
    this.#headers.set(textOf(name).toLowerCase(), textOf(value));
    return '';
  }

  Del(name: unknown): string {
    this.#headers.delete(textOf(name).toLowerCase());
    return '';
  }

  Get(name: unknown): string {
    return this.#headers.get(textOf(name).toLowerCase()) ?? '';
  }

  Values(name: unknown): string[] {
    return this.#headers.all(textOf(name).toLowerCase());
  }
}
