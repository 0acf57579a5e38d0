import { DEPTH_MAX, ruleTooDeep, TooDeep } from './depth.ts';
import { describeExpected, type Expected, expectedAt, type RuleContext } from './expected.ts';
import {
  buildGrammar,
  type Choice,
  type Grammar,
  type GrammarNode,
  type RuleName,
} from './grammar.ts';
import type { Span, Token } from './lexer.ts';
import { type Predicted, PredictionExhausted, predict } from './prediction.ts';
import type { Issue } from './source.ts';

/** Bound on steps of lookahead, some tens of milliseconds. Upstream has no such bound. */
const PREDICTION_STEPS_MAX = 200_000;

/**
 * Returns upstream's first error for tokens that are not an expression. Walks through the grammar as upstream's parser does;
 * upstream continues after an error, this function does not.
 */
export function describeSyntaxError(
  text: string,
  tokens: readonly Token[],
  skipped: readonly Span[],
): Issue {
  const walker = new Walker(text, tokens, skipped);
  try {
    walker.run();
  } catch (error) {
    if (error instanceof Mismatch) return error.issue;
    if (error instanceof TooDeep) return { offset: undefined, message: error.message };
    if (!(error instanceof PredictionExhausted)) throw error;
  }
  // The walk follows the grammar of the parser; if its prediction is exhausted, only the position is known.
  return { offset: walker.offset, message: 'Syntax error: invalid expression' };
}

/** A token that the grammar does not allow. */
class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly issue: Issue;

  constructor({ start }: Token, message: string) {
    super(`Syntax error: ${message}`);
    this.issue = { offset: start, message: this.message };
  }
}

class Walker {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #skipped: readonly Span[];
  readonly #grammar: Grammar = buildGrammar();
  readonly #budget = { remaining: PREDICTION_STEPS_MAX };
  readonly #depths = new Map<RuleName, number>();
  #index = 0;
  #place: GrammarNode;
  #context: RuleContext;
  #precedence = 0;

  constructor(text: string, tokens: readonly Token[], skipped: readonly Span[]) {
    this.#text = text;
    this.#skipped = skipped;
    this.#tokens = tokens;
    this.#place = this.#startOf('start');
    this.#context = { rule: 'start', invoking: undefined, parent: undefined };
  }

  get offset(): number {
    return this.#current().start;
  }

  run(): void {
    this.#rule('start');
  }

  #startOf(rule: RuleName): GrammarNode {
    return this.#grammar.starts.get(rule) as GrammarNode;
  }

  #rule(rule: RuleName): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    if (depth > DEPTH_MAX) {
      throw ruleTooDeep();
    }
    this.#depths.set(rule, depth);
    this.#walk(this.#startOf(rule));
    this.#depths.set(rule, depth - 1);
  }

  #walk(start: GrammarNode): void {
    let node = start;
    while (node.kind !== 'end') {
      this.#place = node;
      switch (node.kind) {
        case 'token':
          this.#match(node);
          node = node.next;
          break;
        case 'rule':
          this.#invoke(node);
          node = node.next;
          break;
        case 'predicate':
          node = node.next;
          break;
        case 'choice':
          node = this.#choose(node);
          break;
      }
    }
  }

  #invoke(node: GrammarNode & { kind: 'rule' }): void {
    const [context, precedence] = [this.#context, this.#precedence];
    this.#context = { rule: node.rule, invoking: node, parent: context };
    this.#precedence = node.precedence;
    this.#rule(node.rule);
    this.#context = context;
    this.#precedence = precedence;
    this.#place = node;
  }

  #choose(choice: Choice): GrammarNode {
    this.#checkStart(choice);
    const { alternatives } = choice;
    if (alternatives.length === 1) {
      return alternatives[0] as GrammarNode;
    }
    if (choice.oneToken) {
      return this.#chooseByToken(choice);
    }
    const start = this.#current();
    const predicted: Predicted = predict(choice, {
      grammar: this.#grammar,
      tokens: this.#tokens,
      index: this.#index,
      precedence: this.#precedence,
      context: this.#context,
      budget: this.#budget,
    });
    if ('failedAt' in predicted) {
      throw this.#noAlternative(start, this.#tokens[predicted.failedAt] as Token);
    }
    return alternatives[predicted.alternative] as GrammarNode;
  }

  /** Optional parts and loops are entered with their first token, and skipped otherwise. */
  #chooseByToken({ alternatives }: Choice): GrammarNode {
    const { kind } = this.#current();
    const last = alternatives[alternatives.length - 1] as GrammarNode;
    const entered = alternatives
      .slice(0, -1)
      .find((alternative) => expectedAt(this.#grammar, alternative, undefined).has(kind));
    if (entered === undefined && last.kind === 'token' && this.#context.rule === 'escapeIdent') {
      if (!last.tokens.has(kind)) {
        throw this.#noAlternative(this.#current(), this.#current());
      }
    }
    return entered ?? last;
  }

  #match(node: GrammarNode & { kind: 'token' }): void {
    const token = this.#current();
    if (!node.tokens.has(token.kind)) {
      if (this.#fitsWithoutToken()) throw this.#extraneous();
      if (!expectedAt(this.#grammar, node.next, this.#context).has(token.kind)) {
        throw this.#mismatched();
      }
      const expected = describeExpected(this.#expected());
      throw new Mismatch(token, `missing ${expected} at ${quote(token.text)}`);
    }
    if (token.kind !== 'end') this.#index++;
  }

  /** Before a choice, the token must begin one of its alternatives, or follow the rule. */
  #checkStart(choice: Choice): void {
    const next = expectedAt(this.#grammar, choice, undefined);
    if (next.has('rule-end') || next.has(this.#current().kind)) return;
    if (choice.type === 'loop-back' || this.#fitsWithoutToken()) throw this.#extraneous();
    throw this.#mismatched();
  }

  /** Whether the token after the current one would be allowed in its place. */
  #fitsWithoutToken(): boolean {
    const following = this.#tokens[this.#index + 1] ?? this.#current();
    return this.#expected().has(following.kind);
  }

  #expected(): Expected {
    return expectedAt(this.#grammar, this.#place, this.#context);
  }

  #extraneous(): Mismatch {
    const token = this.#current();
    const expected = describeExpected(this.#expected());
    return new Mismatch(token, `extraneous input ${quote(token.text)} expecting ${expected}`);
  }

  #mismatched(): Mismatch {
    const token = this.#current();
    const expected = describeExpected(this.#expected());
    return new Mismatch(token, `mismatched input ${quote(token.text)} expecting ${expected}`);
  }

  #noAlternative(start: Token, failed: Token): Mismatch {
    const end = failed.kind === 'end' ? this.#text.length : failed.start + failed.text.length;
    const input = start.kind === 'end' ? '<EOF>' : this.#recognized(start.start, end);
    const message = `no viable alternative at input ${quote(input)}`;
    // Upstream has another message for a keyword after a dot.
    const word = /^no viable alternative at input '.(true|false|null)'$/s.exec(message)?.[1];
    return new Mismatch(
      failed,
      word === undefined ? message : `mismatched input '${word}' expecting IDENTIFIER`,
    );
  }

  /** A part of the text without characters that are not tokens. */
  #recognized(from: number, to: number): string {
    let text = '';
    let position = from;
    for (const { start, end } of this.#skipped) {
      if (start >= from && start < to) {
        text += this.#text.slice(position, start);
        position = end;
      }
    }
    return text + this.#text.slice(position, to);
  }

  #current(): Token {
    return this.#tokens[this.#index] as Token;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
