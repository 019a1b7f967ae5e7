/** The options `precompressed` and `precompressed_order`, which select compressed files that a client accepts. */
import { compileNegotiator, type Exchange, type Negotiator, type PrecompressedFiles } from '@sluice/http-app';

export class Precompressed {
  readonly #kinds: ReadonlyMap<string, PrecompressedFiles>;
  readonly #negotiate: Negotiator;

  constructor(kinds: Iterable<PrecompressedFiles>, order: readonly string[]) {
    this.#kinds = new Map([...kinds].map((kind) => [kind.coding, kind]));
    this.#negotiate = compileNegotiator([...this.#kinds.keys()], order);
  }

  /** Returns the types of precompressed files that the client accepts, best first. */
  acceptedBy(exchange: Exchange): readonly PrecompressedFiles[] {
    if (this.#kinds.size === 0) return none;
    const codings = this.#negotiate(exchange.headers.joined('accept-encoding'));
    return codings.map((coding) => this.#kinds.get(coding) as PrecompressedFiles);
  }
}

const none: readonly PrecompressedFiles[] = [];
