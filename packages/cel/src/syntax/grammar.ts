import type { TokenKind } from './lexer.ts';

/**
 * The grammar of CEL as a network, one path through it per sentence. Upstream's parser is generated
 * from the same grammar, and the words of its syntax errors follow from the network; see
 * `syntax-errors.ts`. Valid expressions never come here.
 */
export type GrammarNode =
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly tokens: ReadonlySet<TokenKind>;
      next: GrammarNode;
    }
  | {
      readonly kind: 'rule';
      readonly id: number;
      readonly rule: RuleName;
      readonly precedence: number;
      next: GrammarNode;
    }
  | {
      readonly kind: 'predicate';
      readonly id: number;
      readonly precedence: number;
      next: GrammarNode;
    }
  | Choice
  | { readonly kind: 'end'; readonly id: number; readonly rule: RuleName };

export interface Choice {
  readonly kind: 'choice';
  readonly id: number;
  readonly type: 'block' | 'loop-entry' | 'loop-back';
  /** Looking at one token decides; otherwise as many as it takes. */
  readonly oneToken: boolean;
  /** A loop over operators: going on wins over leaving it for the same operator outside. */
  readonly operators: boolean;
  readonly alternatives: GrammarNode[];
}

export type RuleName =
  | 'start'
  | 'expr'
  | 'conditionalOr'
  | 'conditionalAnd'
  | 'relation'
  | 'calc'
  | 'unary'
  | 'member'
  | 'primary'
  | 'exprList'
  | 'listInit'
  | 'fieldInitializerList'
  | 'optField'
  | 'mapInitializerList'
  | 'escapeIdent'
  | 'optExpr'
  | 'literal';

export interface Grammar {
  readonly starts: ReadonlyMap<RuleName, GrammarNode>;
  /** The possible successors of each rule, anywhere. */
  readonly followers: ReadonlyMap<RuleName, readonly GrammarNode[]>;
}

/** A piece of a rule: given what comes after it, where it begins. */
type Piece = (next: GrammarNode) => GrammarNode;

/** Builds the network; it takes well under a millisecond and is made when an error needs it. */
export function buildGrammar(): Grammar {
  let count = 0;
  const id = () => count++;
  const followers = new Map<RuleName, GrammarNode[]>();

  const token =
    (...kinds: readonly TokenKind[]): Piece =>
    (next) => ({ kind: 'token', id: id(), tokens: new Set(kinds), next });
  const rule =
    (name: RuleName, precedence = 0): Piece =>
    (next) => {
      followers.set(name, [...(followers.get(name) ?? []), next]);
      return { kind: 'rule', id: id(), rule: name, precedence, next };
    };
  const predicate =
    (precedence: number): Piece =>
    (next) => ({ kind: 'predicate', id: id(), precedence, next });
  const sequence =
    (...pieces: readonly Piece[]): Piece =>
    (next) =>
      pieces.reduceRight((after, piece) => piece(after), next);
  const choice = (
    type: Choice['type'],
    oneToken: boolean,
    alternatives: GrammarNode[],
    operators = false,
  ): Choice => ({ kind: 'choice', id: id(), type, oneToken, operators, alternatives });
  const block =
    (oneToken: boolean, ...pieces: readonly Piece[]): Piece =>
    (next) =>
      choice(
        'block',
        oneToken,
        pieces.map((piece) => piece(next)),
      );
  const optional =
    (piece: Piece): Piece =>
    (next) =>
      choice('block', true, [piece(next), next]);
  const many =
    (oneToken: boolean, piece: Piece, operators = false): Piece =>
    (next) => {
      const alternatives: GrammarNode[] = [];
      const back = choice('loop-back', oneToken, alternatives, operators);
      alternatives.push(piece(back), next);
      return choice('loop-entry', oneToken, alternatives, operators);
    };
  const operators = (piece: Piece) => many(false, piece, true);
  const some =
    (oneToken: boolean, piece: Piece): Piece =>
    (next) => {
      const alternatives: GrammarNode[] = [];
      const back = choice('loop-back', oneToken, alternatives);
      const body = piece(back);
      alternatives.push(body, next);
      return choice('block', true, [body]);
    };

  const rules: Readonly<Record<RuleName, Piece>> = {
    start: sequence(rule('expr'), token('end')),
    expr: sequence(
      rule('conditionalOr'),
      optional(sequence(token('?'), rule('conditionalOr'), token(':'), rule('expr'))),
    ),
    conditionalOr: sequence(
      rule('conditionalAnd'),
      many(true, sequence(token('||'), rule('conditionalAnd'))),
    ),
    conditionalAnd: sequence(rule('relation'), many(true, sequence(token('&&'), rule('relation')))),
    relation: sequence(
      rule('calc'),
      operators(
        sequence(predicate(1), token('<', '<=', '>=', '>', '==', '!=', 'in'), rule('relation', 2)),
      ),
    ),
    calc: sequence(
      rule('unary'),
      operators(
        block(
          false,
          sequence(predicate(2), token('*', '/', '%'), rule('calc', 3)),
          sequence(predicate(1), token('+', '-'), rule('calc', 2)),
        ),
      ),
    ),
    unary: block(
      false,
      rule('member'),
      sequence(some(true, token('!')), rule('member')),
      sequence(some(false, token('-')), rule('member')),
    ),
    member: sequence(
      rule('primary'),
      operators(
        block(
          false,
          sequence(predicate(3), token('.'), optional(token('?')), rule('escapeIdent')),
          sequence(
            predicate(2),
            token('.'),
            token('identifier'),
            token('('),
            optional(rule('exprList')),
            token(')'),
          ),
          sequence(predicate(1), token('['), optional(token('?')), rule('expr'), token(']')),
        ),
      ),
    ),
    primary: block(
      false,
      sequence(optional(token('.')), token('identifier')),
      sequence(
        optional(token('.')),
        token('identifier'),
        token('('),
        optional(rule('exprList')),
        token(')'),
      ),
      sequence(token('('), rule('expr'), token(')')),
      sequence(token('['), optional(rule('listInit')), optional(token(',')), token(']')),
      sequence(token('{'), optional(rule('mapInitializerList')), optional(token(',')), token('}')),
      sequence(
        optional(token('.')),
        token('identifier'),
        many(true, sequence(token('.'), token('identifier'))),
        token('{'),
        optional(rule('fieldInitializerList')),
        optional(token(',')),
        token('}'),
      ),
      rule('literal'),
    ),
    exprList: sequence(rule('expr'), many(true, sequence(token(','), rule('expr')))),
    listInit: sequence(rule('optExpr'), many(false, sequence(token(','), rule('optExpr')))),
    fieldInitializerList: sequence(
      rule('optField'),
      token(':'),
      rule('expr'),
      many(false, sequence(token(','), rule('optField'), token(':'), rule('expr'))),
    ),
    optField: sequence(optional(token('?')), rule('escapeIdent')),
    mapInitializerList: sequence(
      rule('optExpr'),
      token(':'),
      rule('expr'),
      many(false, sequence(token(','), rule('optExpr'), token(':'), rule('expr'))),
    ),
    escapeIdent: block(true, token('identifier'), token('quoted-identifier')),
    optExpr: sequence(optional(token('?')), rule('expr')),
    literal: block(
      false,
      sequence(optional(token('-')), token('int')),
      token('uint'),
      sequence(optional(token('-')), token('double')),
      token('string'),
      token('bytes'),
      token('true'),
      token('false'),
      token('null'),
    ),
  };
  const starts = new Map<RuleName, GrammarNode>();
  for (const [name, piece] of Object.entries(rules) as [RuleName, Piece][]) {
    starts.set(name, piece({ kind: 'end', id: id(), rule: name }));
  }
  return { starts, followers };
}
