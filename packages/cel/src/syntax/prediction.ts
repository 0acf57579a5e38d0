import type { RuleContext } from './expected.ts';
import type { Choice, Grammar, GrammarNode } from './grammar.ts';
import type { Token, TokenKind } from './lexer.ts';

/** Counts steps of all predictions for one text; `exhausted` ends the description of its errors. */
export interface PredictionBudget {
  remaining: number;
}

export class PredictionExhausted extends Error {
  override readonly name = 'PredictionExhausted';
}

export interface Prediction {
  readonly grammar: Grammar;
  readonly tokens: readonly Token[];
  readonly index: number;
  /** The precedence the current rule was called with. */
  readonly precedence: number;
  readonly context: RuleContext;
  readonly budget: PredictionBudget;
}

export type Predicted =
  | { readonly alternative: number }
  /** No alternative goes on at the token with this index. */
  | { readonly failedAt: number };

/** Where one alternative stands after the tokens seen so far. */
interface Position {
  readonly alternative: number;
  readonly node: GrammarNode;
  readonly stack: Stack | undefined;
  /** Has left the rule of the decision. */
  readonly outside: boolean;
}

interface Stack {
  readonly node: GrammarNode;
  readonly below: Stack | undefined;
  readonly key: string;
}

/**
 * Chooses as upstream's generator does: first as if anything could follow the rule; when that leaves
 * alternatives that can no longer be told apart, again with what really follows it.
 */
export function predict(choice: Choice, prediction: Prediction): Predicted {
  const first = simulate(choice, prediction, undefined);
  return first === 'conflict'
    ? (simulate(choice, prediction, contextStack(prediction.context)) as Predicted)
    : first;
}

function simulate(
  choice: Choice,
  prediction: Prediction,
  outer: Stack | undefined,
): Predicted | 'conflict' {
  const { tokens } = prediction;
  const full = outer !== undefined;
  let positions = choice.alternatives.flatMap((node, alternative) =>
    closure({ alternative, node, stack: outer, outside: false }, prediction, { full, start: true }),
  );
  if (choice.operators && !full) {
    positions = withoutSameOutside(positions);
  }
  for (let index = prediction.index; ; index++) {
    const token = tokens[Math.min(index, tokens.length - 1)] as Token;
    const reached = advance(positions, token.kind, prediction, full);
    if (reached.length === 0) {
      const finished = positions.filter(({ outside }) => outside);
      return finished.length > 0
        ? { alternative: Math.min(...finished.map(({ alternative }) => alternative)) }
        : { failedAt: Math.min(index, tokens.length - 1) };
    }
    const decided = decide(reached, full, token.kind === 'end');
    if (decided !== undefined) {
      return decided;
    }
    positions = reached;
  }
}

/** Without ways out of a loop over operators that lead to where going on leads too. */
function withoutSameOutside(positions: readonly Position[]): Position[] {
  const keyOf = ({ node, stack }: Position) => `${node.id} ${stack?.key ?? ''}`;
  const going = new Set(
    positions.filter(({ alternative }) => alternative === 0).map((position) => keyOf(position)),
  );
  return positions.filter((position) => position.alternative === 0 || !going.has(keyOf(position)));
}

/** The context as a stack to return into; `start` is left through its end, where only the text's end is. */
function contextStack(context: RuleContext): Stack {
  const below = context.parent === undefined ? undefined : contextStack(context.parent);
  return context.invoking === undefined
    ? { node: { kind: 'end', id: -1, rule: 'start' }, below: undefined, key: 'end' }
    : push(context.invoking.next, below);
}

function push(node: GrammarNode, below: Stack | undefined): Stack {
  return { node, below, key: `${node.id},${below?.key ?? ''}` };
}

function advance(
  positions: readonly Position[],
  token: TokenKind,
  prediction: Prediction,
  full: boolean,
): Position[] {
  const seen = new Set<string>();
  return positions.flatMap((position) => {
    const { node } = position;
    if (node.kind !== 'token' || !node.tokens.has(token)) {
      return [];
    }
    return closure({ ...position, node: node.next }, prediction, { full, start: false }, seen);
  });
}

/** All places before a token that a position leads to. */
function closure(
  from: Position,
  prediction: Prediction,
  { full, start }: { readonly full: boolean; readonly start: boolean },
  seen = new Set<string>(),
): Position[] {
  const found: Position[] = [];
  const { grammar, budget } = prediction;
  const visit = (position: Position, depth: number): void => {
    const { alternative, node, stack, outside } = position;
    const key = `${alternative} ${node.id} ${stack?.key ?? ''} ${outside}`;
    if (seen.has(key)) {
      return;
    }
    seen.add(key);
    budget.remaining--;
    if (budget.remaining < 0) {
      throw new PredictionExhausted();
    }
    switch (node.kind) {
      case 'token':
        found.push(position);
        break;
      case 'rule': {
        const entry = grammar.starts.get(node.rule);
        if (entry !== undefined) {
          visit({ ...position, node: entry, stack: push(node.next, stack) }, depth + 1);
        }
        break;
      }
      case 'predicate':
        // Only the decision's own rule knows its precedence.
        if (!start || depth !== 0 || node.precedence >= prediction.precedence) {
          visit({ ...position, node: node.next }, depth);
        }
        break;
      case 'choice':
        for (const next of node.alternatives) {
          visit({ ...position, node: next }, depth);
        }
        break;
      case 'end':
        if (stack !== undefined) {
          visit({ alternative, node: stack.node, stack: stack.below, outside }, depth - 1);
          break;
        }
        found.push({ ...position, outside: true });
        if (!full) {
          for (const next of grammar.followers.get(node.rule) ?? []) {
            visit({ alternative, node: next, stack: undefined, outside: true }, depth - 1);
          }
        }
        break;
    }
  };
  visit(from, 0);
  return found;
}

function decide(
  positions: readonly Position[],
  full: boolean,
  atEnd: boolean,
): Predicted | 'conflict' | undefined {
  const alternatives = new Set(positions.map(({ alternative }) => alternative));
  const least = Math.min(...alternatives);
  if (alternatives.size === 1 || atEnd) {
    return { alternative: least };
  }
  const groups = Map.groupBy(positions, ({ node, stack }) => `${node.id} ${stack?.key ?? ''}`);
  const subsets = [...groups.values()].map(
    (group) => new Set(group.map(({ alternative }) => alternative)),
  );
  if (full) {
    const mins = new Set(subsets.map((subset) => Math.min(...subset)));
    return mins.size === 1 ? { alternative: Math.min(...mins) } : undefined;
  }
  const byNode = Map.groupBy(positions, ({ node }) => node.id);
  const someAlone = [...byNode.values()].some(
    (group) => new Set(group.map(({ alternative }) => alternative)).size === 1,
  );
  return subsets.some((subset) => subset.size > 1) && !someAlone ? 'conflict' : undefined;
}
