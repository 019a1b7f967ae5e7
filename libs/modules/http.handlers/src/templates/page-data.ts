/** Page data, which is the value of `.` in templates. */
import { hostOf, type Exchange } from '@sluice/http-app';
import { unescapePath } from '@sluice/base';
import { goType } from '@sluice/text-template';
import type { FileRoot } from './file-root.ts';
import { GoRequest, GoUrl, textOf } from './request-data.ts';
import { ResponseFields } from './response-data.ts';

export class PageData {
  static {
    Object.defineProperty(PageData.prototype, goType, { value: '*templates.TemplateContext' });
  }

  /** Arguments of `include`. */
  readonly Args: readonly unknown[];
  readonly Root: string;
  readonly CustomFuncs: readonly unknown[] = [];
  readonly #exchange: Exchange;
  #request: GoRequest | null = null;
  #original: GoRequest | null = null;
  #response: ResponseFields | null = null;

  constructor(exchange: Exchange, root: FileRoot, args: readonly unknown[]) {
    this.#exchange = exchange;
    this.Root = root.name;
    this.Args = args;
  }

  get Req(): GoRequest {
    const { method, path, query, rawPath } = this.#exchange;
    return (this.#request ??= new GoRequest(this.#exchange, new GoUrl(rawPath, path, query), method));
  }

  get OriginalReq(): GoRequest {
    const { originalMethod, originalQuery, originalRawPath } = this.#exchange;
    const url = new GoUrl(originalRawPath, unescapePath(originalRawPath), originalQuery);
    return (this.#original ??= new GoRequest(this.#exchange, url, originalMethod));
  }

  get RespHeader(): ResponseFields {
    return (this.#response ??= new ResponseFields(this.#exchange.response.headers));
  }

  Cookie(name: unknown): string {
    const wanted = textOf(name);
    for (const pair of (this.#exchange.headers.joined('cookie', '; ') ?? '').split(';')) {
      const equals = pair.indexOf('=');
      if (equals < 0 || pair.slice(0, equals).trim() !== wanted) continue;
      const value = pair.slice(equals + 1).trim();
      return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
    }
    return '';
  }

  Host(): string {
    return hostOf(this.#exchange.host);
  }

  RemoteIP(): string {
    return this.#exchange.connection.remoteAddress;
  }

  ClientIP(): string {
    return this.#exchange.clientIp;
  }
}
