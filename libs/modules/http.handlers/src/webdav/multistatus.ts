/** WebDAV responses with XML bodies. */
import { escapeXml } from '@sluice/base';
import { STATUS_CODES } from 'node:http';
import { ClientGoneError, type Exchange } from '@sluice/http-app';

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';
/** Number of characters to buffer before writing. */
const pieceSize = 16_384;

/** Returns a `status` XML element. */
export function statusElement(status: number): string {
  return `<D:status>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}</D:status>`;
}

/** Returns a `response` XML element for a resource on which an operation failed. `href` must already be percent-encoded. */
export function failure(href: string, status: number): string {
  return `<D:response><D:href>${escapeXml(href)}</D:href>${statusElement(status)}</D:response>`;
}

/** Streams a response with status 207 (Multi-Status). Waits for slow clients instead of buffering. */
export class Multistatus {
  readonly #exchange: Exchange;
  #text: string;
  #started = false;

  /** `declarations` contains the namespace declarations of the response's root element. */
  constructor(exchange: Exchange, declarations = ' xmlns:D="DAV:"') {
    this.#exchange = exchange;
    this.#text = `${declaration}<D:multistatus${declarations}>`;
  }

  /** Adds a `response` XML element. Resolves when the client can receive more data. */
  async add(element: string): Promise<void> {
    this.#text += element;
    if (this.#text.length < pieceSize) return;
    const { response } = this.#exchange;
    if (response.gone) throw new ClientGoneError();
    this.#start();
    const text = this.#text;
    this.#text = '';
    if (!response.write(text)) await response.drained();
  }

  end(): void {
    this.#start();
    if (this.#exchange.method === 'HEAD') this.#exchange.response.end();
    else this.#exchange.response.end(`${this.#text}</D:multistatus>`);
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    const { response } = this.#exchange;
    response.headers.set('content-type', 'application/xml; charset=utf-8');
    response.writeHead(207);
  }
}

/**
 * Responds with an XML document. `element` is the name of the root element, and `content` contains its children, which use the prefix `D`.
 */
export function respondWithXml(exchange: Exchange, status: number, element: string, content: string): void {
  const { response } = exchange;
  response.headers.set('content-type', 'application/xml; charset=utf-8');
  response.writeHead(status);
  response.end(`${declaration}<D:${element} xmlns:D="DAV:">${content}</D:${element}>`);
}

/** Responds with the violated precondition or postcondition (RFC 4918 §16). */
export function respondWithError(exchange: Exchange, status: number, condition: string, href = ''): void {
  const content = href === '' ? '' : `<D:href>${escapeXml(href)}</D:href>`;
  respondWithXml(exchange, status, 'error', `<D:${condition}>${content}</D:${condition}>`);
}

export function respond(exchange: Exchange, status: number): void {
  const { response } = exchange;
  if (status !== 204) response.headers.set('content-length', '0');
  response.writeHead(status);
  response.end();
}
