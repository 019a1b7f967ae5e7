/** Parses pipelines: variable declarations, commands, operands and parentheses. */
import { quote } from '../fmt/quote.ts';
import type { CommandNode, OperandNode, PipeNode, VariableNode } from './nodes.ts';
import { readCharacter, readNumber, type NumberReading } from './number.ts';
import { printNode } from './print-node.ts';
import type { Scope } from './scope.ts';
import type { TokenStream } from './token-stream.ts';
import type { Token } from './tokens.ts';
import { unquoteString } from './unquote.ts';

/** Parser for the pipelines of a template. */
export class PipelineParser {
  readonly #tokens: TokenStream;
  readonly #scope: Scope;
  readonly #isFunction: (name: string) => boolean;
  readonly #maxNesting: number;
  #nesting = 0;

  constructor(tokens: TokenStream, scope: Scope, isFunction: (name: string) => boolean, maxNesting: number) {
    this.#tokens = tokens;
    this.#scope = scope;
    this.#isFunction = isFunction;
    this.#maxNesting = maxNesting;
  }

  /** Parses a pipeline up to a token of type `end`. `context` describes the pipeline in error messages. */
  pipeline(context: string, end: 'close' | 'rightParen'): PipeNode {
    const { position } = this.#tokens.peekNonSpace();
    const { names, assign } = this.#targets(context);
    const commands: CommandNode[] = [];
    // In `{{$x := add1 $x}}`, the second `$x` refers to an earlier declaration. If there is none, execution fails.
    for (const { text } of names) if (this.#scope.slotOf(text) === null) this.#scope.assume(text);
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      switch (token.type) {
        case end: {
          this.#check(commands, context);
          const targets = names.map((name) => this.#target(name, assign));
          return { kind: 'pipe', position, assign, targets, commands };
        }
        case 'bool':
        case 'character':
        case 'dot':
        case 'field':
        case 'identifier':
        case 'keyword':
        case 'number':
        case 'string':
        case 'variable':
        case 'leftParen':
          if (token.type === 'keyword' && token.text !== 'nil') this.#tokens.unexpected(token, context);
          this.#tokens.back(token);
          commands.push(this.#command());
          break;
        default:
          this.#tokens.unexpected(token, context);
      }
    }
  }

  /** Parses the optional variables before `:=` or `=`. Only `range` allows two variables. */
  #targets(context: string): { names: Token[]; assign: boolean } {
    const names: Token[] = [];
    for (;;) {
      const variable = this.#tokens.peekNonSpace();
      if (variable.type !== 'variable') return { names, assign: false };
      this.#tokens.next();
      const after = this.#tokens.next();
      const next = after.type === 'space' ? this.#tokens.nextNonSpace() : after;
      if (next.type === 'declare' || next.type === 'assign') {
        return { names: [...names, variable], assign: next.type === 'assign' };
      }
      if (next.type !== 'mark' || next.text !== ',') {
        this.#tokens.back(next);
        if (after.type === 'space') this.#tokens.back(after);
        this.#tokens.back(variable);
        return { names, assign: false };
      }
      names.push(variable);
      if (context !== 'range' || names.length > 1) this.#tokens.fail(`too many declarations in ${context}`);
      const { type } = this.#tokens.peekNonSpace();
      if (type !== 'variable' && type !== 'close' && type !== 'rightParen') {
        this.#tokens.fail('range can only initialize variables');
      }
    }
  }

  #target(token: Token, assign: boolean): VariableNode {
    const name = token.text;
    if (!assign) return this.#variable(token.position, name, this.#scope.declare(name));
    return this.#variable(token.position, name, this.#scope.slotOf(name) ?? -1);
  }

  #variable(position: number, name: string, slot: number): VariableNode {
    return { kind: 'variable', position, name, slot, names: [] };
  }

  #check(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.#tokens.fail(`missing value for ${context}`);
    for (const [index, command] of commands.entries()) {
      const kind = command.operands[0]?.kind;
      if (
        index > 0 &&
        (kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string')
      ) {
        this.#tokens.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  /** Parses the operands of a command, up to a pipe or the end of the pipeline. Does not consume that token. */
  #command(): CommandNode {
    const { position } = this.#tokens.peekNonSpace();
    const operands: OperandNode[] = [];
    for (;;) {
      this.#tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand !== null) operands.push(operand);
      const token = this.#tokens.next();
      if (token.type === 'space') continue;
      if (token.type === 'close' || token.type === 'rightParen') this.#tokens.back(token);
      else if (token.type !== 'pipe') this.#tokens.unexpected(token, 'operand');
      if (operands.length === 0) this.#tokens.fail('empty command');
      return { kind: 'command', position, operands };
    }
  }

  /** Parses an operand: a term and the fields that follow it. */
  #operand(): OperandNode | null {
    const term = this.#term();
    if (term === null || this.#tokens.peek().type !== 'field') return term;
    const { position } = this.#tokens.peek();
    const names: string[] = [];
    while (this.#tokens.peek().type === 'field') names.push(this.#tokens.next().text.slice(1));
    switch (term.kind) {
      case 'field':
        return { kind: 'field', position, names: [...term.names, ...names] };
      case 'variable':
        return { ...term, position, names: [...term.names, ...names] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.#tokens.fail(`unexpected . after term ${quote(printNode(term))}`);
      default:
        return { kind: 'chain', position, operand: term, names };
    }
  }

  #term(): OperandNode | null {
    const token = this.#tokens.nextNonSpace();
    const { position, text } = token;
    switch (token.type) {
      case 'identifier':
        if (!this.#isFunction(text)) this.#tokens.fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', position, name: text };
      case 'dot':
        return { kind: 'dot', position };
      case 'keyword':
        if (text === 'nil') return { kind: 'nil', position };
        break;
      case 'variable':
        return this.#useVariable(token);
      case 'field':
        return { kind: 'field', position, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', position, value: text === 'true' };
      case 'character':
        return this.#number(token, readCharacter(text));
      case 'number':
        return this.#number(token, readNumber(text));
      case 'string':
        return this.#string(token);
      case 'leftParen':
        return this.#parenthesized();
      default:
    }
    this.#tokens.back(token);
    return null;
  }

  #parenthesized(): PipeNode {
    if (++this.#nesting > this.#maxNesting) this.#tokens.fail(`parentheses are nested deeper than ${this.#maxNesting}`);
    const pipe = this.pipeline('parenthesized pipeline', 'rightParen');
    this.#nesting--;
    return pipe;
  }

  #useVariable(token: Token): VariableNode {
    const slot = this.#scope.slotOf(token.text);
    if (slot === null) this.#tokens.fail(`undefined variable ${quote(token.text)}`);
    return this.#variable(token.position, token.text, slot);
  }

  #number(token: Token, reading: NumberReading): OperandNode {
    if (typeof reading === 'string') this.#tokens.fail(reading);
    return { kind: 'number', position: token.position, text: token.text, ...reading };
  }

  #string(token: Token): OperandNode {
    const value = unquoteString(token.text);
    if (value === null) this.#tokens.fail('invalid syntax');
    return { kind: 'string', position: token.position, text: token.text, value };
  }
}
