/** Parses a template into a syntax tree. This file parses statements, and pipeline-parser.ts parses the contents of actions. */
import { quote } from '../fmt/quote.ts';
import type { Delimiters } from './lexer.ts';
import type { ListNode, PipeNode, StatementNode, Tree } from './nodes.ts';
import { PipelineParser } from './pipeline-parser.ts';
import { Scope } from './scope.ts';
import { TokenStream } from './token-stream.ts';
import type { Token } from './tokens.ts';
import { unquoteString } from './unquote.ts';

export interface ParseOptions {
  readonly delimiters: Delimiters;
  readonly isFunction: (name: string) => boolean;
}

/** Keywords that end the body of a statement. */
type Ending = 'end' | 'else';

/** Maximum nesting depth of blocks and parentheses in a template. */
const maxNesting = 250;

const spaceOnly = /^[ \t\r\n\v\f\u0085\p{Z}]*$/u;

/** Parses a template text. Returns the trees of the template and its `{{define}}` blocks by name. Throws a `TemplateError`. */
export function parse(name: string, text: string, options: ParseOptions): ReadonlyMap<string, Tree> {
  return new Parser(name, text, options).parse();
}

function isEmptyTree(tree: Tree): boolean {
  return tree.body.nodes.every((node) => node.kind === 'text' && spaceOnly.test(node.text));
}

class Parser {
  readonly #name: string;
  readonly #text: string;
  readonly #tokens: TokenStream;
  readonly #options: ParseOptions;
  readonly #trees = new Map<string, Tree>();
  #scope = new Scope();
  #pipelines: PipelineParser;
  #ranges = 0;
  #nesting = 0;

  constructor(name: string, text: string, options: ParseOptions) {
    this.#name = name;
    this.#text = text;
    this.#options = options;
    this.#tokens = new TokenStream(name, text, options.delimiters);
    this.#pipelines = this.#newPipelines();
  }

  #newPipelines(): PipelineParser {
    return new PipelineParser(this.#tokens, this.#scope, this.#options.isFunction, maxNesting);
  }

  parse(): ReadonlyMap<string, Tree> {
    const nodes: StatementNode[] = [];
    for (let token = this.#tokens.peek(); token.type !== 'end'; token = this.#tokens.peek()) {
      if (token.type === 'open' && this.#takeDefine()) continue;
      const node = this.#textOrAction();
      if (typeof node === 'string') this.#tokens.fail(`unexpected {{${node}}}`);
      nodes.push(node);
    }
    this.#add(this.#tree(this.#name, nodes, this.#scope));
    return this.#trees;
  }

  #tree(name: string, nodes: StatementNode[], scope: Scope): Tree {
    return { name, source: this.#name, text: this.#text, slots: scope.size, body: { kind: 'list', nodes } };
  }

  /** Adds a definition. A later definition can replace one that contains only whitespace. Any other duplicate name is an error. */
  #add(tree: Tree): void {
    const before = this.#trees.get(tree.name);
    if (before === undefined || isEmptyTree(before)) this.#trees.set(tree.name, tree);
    else if (!isEmptyTree(tree)) this.#tokens.fail(`template: multiple definition of template ${quote(tree.name)}`);
  }

  /** Parses a `{{define}}`, which is only allowed at the top level. Returns false if the next token does not start one. */
  #takeDefine(): boolean {
    const open = this.#tokens.next();
    const token = this.#tokens.nextNonSpace();
    if (token.type !== 'keyword' || token.text !== 'define') {
      this.#tokens.back(token);
      this.#tokens.back(open);
      return false;
    }
    const context = 'define clause';
    const { name } = this.#templateName(context);
    const close = this.#tokens.nextNonSpace();
    if (close.type !== 'close') this.#tokens.unexpected(close, context);
    this.#define(name, 'define');
    return true;
  }

  /** Parses the body of a definition up to its `{{end}}`. The body has a separate variable scope. */
  #define(name: string, what: string): void {
    const outer = { scope: this.#scope, pipelines: this.#pipelines, ranges: this.#ranges };
    this.#scope = new Scope();
    this.#pipelines = this.#newPipelines();
    this.#ranges = 0;
    const { list, ending } = this.#body();
    if (ending !== 'end') this.#tokens.fail(`unexpected {{${ending}}} in ${what} clause`);
    this.#add(this.#tree(name, [...list.nodes], this.#scope));
    this.#scope = outer.scope;
    this.#pipelines = outer.pipelines;
    this.#ranges = outer.ranges;
  }

  #textOrAction(): StatementNode | Ending {
    const token = this.#tokens.nextNonSpace();
    switch (token.type) {
      case 'text':
        return { kind: 'text', position: token.position, text: token.text };
      case 'open':
        return this.#action();
      default:
        return this.#tokens.unexpected(token, 'input');
    }
  }

  #action(): StatementNode | Ending {
    const token = this.#tokens.nextNonSpace();
    if (token.type === 'keyword') {
      switch (token.text) {
        case 'block':
          return this.#block();
        case 'break':
        case 'continue':
          return this.#jump(token, token.text);
        case 'else':
          return this.#else();
        case 'end':
          this.#expectClose('end');
          return 'end';
        case 'if':
        case 'with':
          return this.#branch(token, token.text);
        case 'range':
          return this.#range(token);
        case 'template':
          return this.#template();
      }
    }
    this.#tokens.back(token);
    const { position } = this.#tokens.peek();
    return { kind: 'action', position, pipe: this.#pipelines.pipeline('command', 'close') };
  }

  #expectClose(context: string): void {
    const token = this.#tokens.nextNonSpace();
    if (token.type !== 'close') this.#tokens.unexpected(token, context);
  }

  /** Parses `{{else}}`. For `{{else if …}}` and `{{else with …}}`, does not consume the second word. */
  #else(): 'else' {
    const token = this.#tokens.peekNonSpace();
    if (token.type === 'keyword' && (token.text === 'if' || token.text === 'with')) return 'else';
    this.#expectClose('else');
    return 'else';
  }

  #jump(token: Token, word: 'break' | 'continue'): StatementNode {
    const close = this.#tokens.nextNonSpace();
    if (close.type !== 'close') this.#tokens.unexpected(close, `{{${word}}}`);
    if (this.#ranges === 0) this.#tokens.fail(`{{${word}}} outside {{range}}`);
    return { kind: word, position: token.position };
  }

  /** Parses statements up to the closing `{{end}}` or `{{else}}`. */
  #body(): { list: ListNode; ending: Ending } {
    if (++this.#nesting > maxNesting) this.#tokens.fail(`blocks are nested deeper than ${maxNesting}`);
    const nodes: StatementNode[] = [];
    for (;;) {
      const token = this.#tokens.peekNonSpace();
      if (token.type === 'end') this.#tokens.fail('unexpected EOF');
      const node = this.#textOrAction();
      if (typeof node === 'string') {
        this.#nesting--;
        return { list: { kind: 'list', nodes }, ending: node };
      }
      nodes.push(node);
    }
  }

  #branch(token: Token, kind: 'if' | 'with'): StatementNode {
    const mark = this.#scope.enter();
    const { position } = token;
    const pipe = this.#pipelines.pipeline(kind, 'close');
    const { list, ending } = this.#body();
    const otherwise = ending === 'else' ? this.#otherwise(kind) : null;
    this.#scope.leave(mark);
    return { kind, position, pipe, body: list, otherwise };
  }

  /** Parses the rest of a branch after `{{else`: either a body up to `{{end}}`, or an `{{else if}}` that shares the same `{{end}}`. */
  #otherwise(kind: 'if' | 'with' | 'range'): ListNode {
    const next = this.#tokens.peek();
    if (kind !== 'range' && next.type === 'keyword' && next.text === kind) {
      if (++this.#nesting > maxNesting) this.#tokens.fail(`blocks are nested deeper than ${maxNesting}`);
      const branch = this.#branch(this.#tokens.next(), kind);
      this.#nesting--;
      return { kind: 'list', nodes: [branch] };
    }
    const { list, ending } = this.#body();
    if (ending !== 'end') this.#tokens.fail(`expected end; found {{${ending}}}`);
    return list;
  }

  #range(token: Token): StatementNode {
    const mark = this.#scope.enter();
    const { position } = token;
    const pipe = this.#pipelines.pipeline('range', 'close');
    this.#ranges++;
    const { list, ending } = this.#body();
    this.#ranges--;
    const otherwise = ending === 'else' ? this.#otherwise('range') : null;
    this.#scope.leave(mark);
    return { kind: 'range', position, pipe, body: list, otherwise };
  }

  #template(): StatementNode {
    const context = 'template clause';
    const { name, position } = this.#templateName(context);
    let pipe: PipeNode | null = null;
    const next = this.#tokens.nextNonSpace();
    if (next.type !== 'close') {
      this.#tokens.back(next);
      pipe = this.#pipelines.pipeline(context, 'close');
    }
    return { kind: 'template', position, name, pipe };
  }

  /** Parses `{{block "name" pipeline}}`, which defines a template and executes it in place. */
  #block(): StatementNode {
    const context = 'block clause';
    const { name, position } = this.#templateName(context);
    const pipe = this.#pipelines.pipeline(context, 'close');
    this.#define(name, 'block');
    return { kind: 'template', position, name, pipe };
  }

  #templateName(context: string): { name: string; position: number } {
    const token = this.#tokens.nextNonSpace();
    if (token.type !== 'string') this.#tokens.unexpected(token, context);
    const name = unquoteString(token.text);
    if (name === null) this.#tokens.fail('invalid syntax');
    return { name, position: token.position };
  }
}
