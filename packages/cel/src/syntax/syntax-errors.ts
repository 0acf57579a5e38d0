import { DEPTH_MAX, ruleTooDeep, TooDeep } from './depth.ts';
import { describeExpected, type Expected, expectedAt, type RuleContext } from './expected.ts';
import {
  buildGrammar,
  type Choice,
  type Grammar,
  type GrammarNode,
  type RuleName,
} from './grammar.ts';
import type { Span, Token, TokenKind } from './lexer.ts';
import { type Predicted, PredictionExhausted, predict } from './prediction.ts';
import type { Issue } from './source.ts';

/** Upstream's bounds: attempts to go on after an error, and tokens skipped in one of them. */
const RECOVERIES_MAX = 30;
const SKIPPED_TOKENS_MAX = 256;
/** Steps of looking ahead over the whole text, some tens of milliseconds. Upstream has no such bound. */
const PREDICTION_STEPS_MAX = 200_000;

/**
 * What is wrong with tokens that are no expression, in upstream's words. It walks through the grammar
 * as upstream's parser does, with the same ways of going on after an error: leave a token out, take one
 * as given, or skip to where something can go on.
 */
export function describeSyntaxErrors(
  text: string,
  tokens: readonly Token[],
  skipped: readonly Span[],
): readonly Issue[] {
  const walker = new Walker(text, tokens, skipped);
  try {
    walker.run();
  } catch (error) {
    if (error instanceof TooDeep) {
      walker.issues.push({ offset: undefined, message: error.message });
    } else if (!(error instanceof Stop) && !(error instanceof PredictionExhausted)) {
      throw error;
    }
  }
  // The walk is made to find what the parser refused; should it not, the place is still known.
  return walker.issues.length > 0
    ? walker.issues
    : [{ offset: walker.offset, message: 'Syntax error: invalid expression' }];
}

/** A rule that cannot go on. */
class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

/** Too many errors. */
class Stop extends Error {
  override readonly name = 'Stop';
}

class Walker {
  readonly issues: Issue[] = [];
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
  /** Between an error and the next token that fits, nothing is reported. */
  #recovering = false;
  #recoveries = 0;
  #lastErrorIndex = -1;
  #lastErrorPlaces = new Set<GrammarNode>();

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
    try {
      this.#walk(this.#startOf(rule));
    } catch (error) {
      if (!(error instanceof Mismatch)) {
        throw error;
      }
      this.#report(error.issue);
      this.#recover();
    }
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
    this.#sync(choice);
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

  /** Optional parts and loops are entered when their first token is there, and passed otherwise. */
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
    if (node.tokens.has(this.#current().kind)) {
      this.#settle();
      this.#consume();
      return;
    }
    this.#countRecovery();
    if (this.#deleteToken()) {
      this.#consume();
      return;
    }
    const after = expectedAt(this.#grammar, node.next, this.#context);
    if (after.has(this.#current().kind)) {
      this.#reportMissing();
      return;
    }
    throw this.#mismatch();
  }

  /** Before a choice: something must be there that one of its alternatives begins with. */
  #sync(choice: Choice): void {
    if (this.#recovering) {
      return;
    }
    const next = expectedAt(this.#grammar, choice, undefined);
    if (next.has('rule-end') || next.has(this.#current().kind)) {
      return;
    }
    if (choice.type !== 'loop-back') {
      if (!this.#deleteToken()) {
        throw this.#mismatch();
      }
      return;
    }
    this.#reportUnwanted();
    const goOn = new Set([...this.#expected(), ...this.#recoverySet()]);
    this.#skipUntil(goOn, Number.POSITIVE_INFINITY);
  }

  /** Leaves out a token when the one after it fits. */
  #deleteToken(): boolean {
    const following = this.#tokens[this.#index + 1] ?? this.#current();
    if (!this.#expected().has(following.kind)) {
      return false;
    }
    this.#reportUnwanted();
    this.#consume();
    this.#settle();
    return true;
  }

  /** Skips to a token that some rule under way can go on with. */
  #recover(): void {
    this.#countRecovery();
    let skipped = SKIPPED_TOKENS_MAX;
    if (this.#lastErrorIndex === this.#index && this.#lastErrorPlaces.has(this.#place)) {
      // The same error at the same place again: without progress there would be no end.
      this.#consume();
      skipped--;
    }
    this.#lastErrorIndex = this.#index;
    this.#lastErrorPlaces.add(this.#place);
    this.#skipUntil(this.#recoverySet(), skipped);
  }

  #skipUntil(stop: Expected, atMost: number): void {
    let left = atMost;
    while (this.#current().kind !== 'end' && !stop.has(this.#current().kind)) {
      if (left-- <= 0) {
        const message = `error recovery token lookahead limit exceeded: ${SKIPPED_TOKENS_MAX}`;
        this.issues.push({ offset: undefined, message });
        throw new Stop();
      }
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries++ === RECOVERIES_MAX) {
      this.issues.push({
        offset: this.offset,
        message: `Syntax error: error recovery attempt limit exceeded: ${RECOVERIES_MAX}`,
      });
      throw new Stop();
    }
  }

  #recoverySet(): Expected {
    const found = new Set<TokenKind | 'rule-end'>();
    for (
      let context: RuleContext | undefined = this.#context;
      context?.invoking !== undefined;
      context = context.parent
    ) {
      for (const kind of expectedAt(this.#grammar, context.invoking.next, undefined)) {
        found.add(kind);
      }
    }
    found.delete('rule-end');
    return found;
  }

  #expected(): Expected {
    return expectedAt(this.#grammar, this.#place, this.#context);
  }

  #settle(): void {
    this.#recovering = false;
    this.#lastErrorIndex = -1;
    this.#lastErrorPlaces = new Set();
  }

  #report(issue: Issue): void {
    if (!this.#recovering) {
      this.#recovering = true;
      this.issues.push(issue);
    }
  }

  #reportUnwanted(): void {
    const token = this.#current();
    const expected = describeExpected(this.#expected());
    this.#report(issueAt(token, `extraneous input ${quote(token.text)} expecting ${expected}`));
  }

  #reportMissing(): void {
    const token = this.#current();
    const expected = describeExpected(this.#expected());
    this.#report(issueAt(token, `missing ${expected} at ${quote(token.text)}`));
  }

  #mismatch(): Mismatch {
    const token = this.#current();
    const expected = describeExpected(this.#expected());
    return new Mismatch(
      issueAt(token, `mismatched input ${quote(token.text)} expecting ${expected}`),
    );
  }

  #noAlternative(start: Token, failed: Token): Mismatch {
    const end = failed.kind === 'end' ? this.#text.length : failed.start + failed.text.length;
    const input = start.kind === 'end' ? '<EOF>' : this.#recognized(start.start, end);
    const message = `no viable alternative at input ${quote(input)}`;
    // A word of the language after a dot is reported as upstream always has.
    const word = /^no viable alternative at input '.(true|false|null)'$/s.exec(message)?.[1];
    return new Mismatch(
      issueAt(
        failed,
        word === undefined ? message : `mismatched input '${word}' expecting IDENTIFIER`,
      ),
    );
  }

  /** A part of the text without what is no token. */
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

  #consume(): void {
    if (this.#current().kind !== 'end') {
      this.#index++;
    }
  }
}

function issueAt({ start }: Token, message: string): Issue {
  return { offset: start, message: `Syntax error: ${message}` };
}

function quote(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
