/** Parses tokens into a tree of nginx directives. */
import { problemAt } from '../problem.ts';
import type { Directive } from './directive.ts';
import { tokenize, type Token } from './lexer.ts';

/** Maximum nesting depth of blocks in an nginx configuration. */
const maxDepth = 64;

/** Parses the directives in a file. Does not expand `include`. */
export function parse(text: string, file: string): Directive[] {
  const tokens = tokenize(text, file);
  const parser = new Parser(tokens);
  const directives = parser.directives(0);
  const rest = parser.next;
  if (rest !== undefined) throw problemAt(rest, 'unexpected "}"');
  return directives;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  /** Parses directives until the end of the block or file. */
  directives(depth: number): Directive[] {
    const list: Directive[] = [];
    for (let token = this.next; token !== undefined && token.kind !== '}'; token = this.next)
      list.push(this.#directive(token, depth));
    return list;
  }

  #directive(first: Token, depth: number): Directive {
    if (first.kind !== 'word') throw problemAt(first, `expected a directive, not "${first.kind}"`);
    if (depth > maxDepth) throw problemAt(first, `blocks are nested more than ${maxDepth} levels deep`);
    const { file, line, text: name } = first;
    const args: string[] = [];
    for (this.#at++; ; this.#at++) {
      const token = this.next;
      if (token === undefined || token.kind === '}')
        throw problemAt(first, `directive ${JSON.stringify(name)} must end with ";" or a block`);
      if (token.kind === ';') {
        this.#at++;
        return { name, args, block: null, file, line };
      }
      if (token.kind === '{') return { name, args, block: this.#block(first, depth), file, line };
      args.push(token.text);
    }
  }

  #block(owner: Token, depth: number): Directive[] {
    this.#at++;
    const block = this.directives(depth + 1);
    if (this.next === undefined) throw problemAt(owner, `block of ${JSON.stringify(owner.text)} has no closing "}"`);
    this.#at++;
    return block;
  }
}
