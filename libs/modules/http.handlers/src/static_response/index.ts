/** The module `http.handlers.static_response`, which sends a fixed response. */
import {
  AbortError,
  compileText,
  HttpError,
  httpHandlers,
  statusOf,
  type Exchange,
  type HttpHandler,
  type HttpTemplate,
  type Next,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { boolean, defineModule, headerMap, options, string, weakString, type Options } from '@sluice/registry';
import { contentTypeOf } from './content-type.ts';

const staticResponseOptions = options({
  status_code: weakString(
    'Status code, as a number or a string with placeholders. Default: 200, or in error routes, the status code of the error.',
    { examples: [404] },
  ),
  headers: headerMap(
    'Header fields to set. Names and values may contain placeholders. An empty list of values deletes a field.',
  ),
  body: string(
    'Response body. If Content-Type is not set, a JSON object or array is sent as JSON, and any other body as plain text.',
  ),
  close: boolean('Close the connection after the response.'),
  abort: boolean('Close the connection without a response. All other options are ignored.'),
});

export const staticResponseModule = defineModule(httpHandlers, {
  name: 'static_response',
  effect: 'pure',
  help: 'Writes a fixed response.',
  config: staticResponseOptions,
  provision: (config) => (config.abort === true ? abortingHandler : new StaticResponse(config)),
});

const abortingHandler: HttpHandler = {
  handle: () => {
    throw new AbortError();
  },
};

interface Field {
  readonly name: HttpTemplate;
  readonly values: readonly HttpTemplate[];
}

const noFields: readonly Field[] = Object.freeze([]);

class StaticResponse implements HttpHandler {
  /** Status template. `null` means 200 or, in an error route, the status of the error. */
  readonly #status: HttpTemplate | null;
  /** Status if it does not depend on the request, otherwise 0. */
  readonly #fixedStatus: number;
  readonly #body: HttpTemplate;
  /** Content type of a constant body. It is detected only once. */
  readonly #fixedType: string | null;
  readonly #fields: readonly Field[];

  constructor(config: Options<typeof staticResponseOptions>) {
    const status = String(config.status_code ?? '');
    this.#status = status === '' ? null : compileText(status, 'empty');
    this.#fixedStatus = parseStatus(this.#status?.constant ?? '') ?? 0;
    this.#body = compileText(config.body ?? '', 'keep');
    this.#fixedType = this.#body.constant === null ? null : contentTypeOf(this.#body.constant);
    const fields = Object.entries(config.headers ?? {}).map(([name, values]) => ({
      name: compileText(name, 'keep'),
      values: (values ?? []).map((value) => compileText(value, 'keep')),
    }));
    if (config.close === true)
      fields.push({ name: compileText('connection', 'empty'), values: [compileText('close', 'empty')] });
    this.#fields = fields.length === 0 ? noFields : fields;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const { response } = exchange;
    const { headers } = response;
    for (const { name, values } of this.#fields) setField(headers, name, values, exchange);
    const body = this.#body.expand(exchange);
    if (body !== '' && (headers.get('content-type') ?? '') === '')
      headers.set('content-type', this.#fixedType ?? contentTypeOf(body));
    const status = this.#fixedStatus === 0 ? this.#statusOf(exchange) : this.#fixedStatus;
    if (status < 200 && status !== 101) {
      response.writeInformational(status, headers);
      if (status === 103) return next(exchange);
      response.writeHead(200);
    } else response.writeHead(status);
    if (body === '') response.end();
    else response.end(body);
  }

  #statusOf(exchange: Exchange): number {
    if (this.#status === null) return exchange.error === null ? 200 : statusOf(exchange.error);
    const text = this.#status.expand(exchange);
    const status = parseStatus(text);
    if (status === null)
      throw new HttpError(500, `status_code ${JSON.stringify(text)} is not a status code from 100 to 999`);
    return status;
  }
}

function setField(headers: HeaderMap, name: HttpTemplate, values: readonly HttpTemplate[], exchange: Exchange): void {
  const field = (name.constant ?? name.expand(exchange)).toLowerCase();
  headers.delete(field);
  for (const value of values) headers.append(field, value.expand(exchange));
}

function parseStatus(text: string): number | null {
  if (!/^\+?\d{1,9}$/.test(text)) return null;
  const status = Number(text);
  return status >= 100 && status <= 999 ? status : null;
}
