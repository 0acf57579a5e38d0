import type { Grammar, GrammarNode, RuleName } from './grammar.ts';
import type { TokenKind } from './lexer.ts';

/** A rule that is being parsed, and the place that called it. */
export interface RuleContext {
  readonly rule: RuleName;
  readonly invoking: (GrammarNode & { kind: 'rule' }) | undefined;
  readonly parent: RuleContext | undefined;
}

/** Tokens that can come, or the end of the rule. */
export type Expected = ReadonlySet<TokenKind | 'rule-end'>;

/** The tokens that can come at a place; with a context also those after the rules that end there. */
export function expectedAt(
  grammar: Grammar,
  place: GrammarNode,
  context: RuleContext | undefined,
): Expected {
  const found = new Set<TokenKind | 'rule-end'>();
  const seen = new Set<string>();
  const look = (node: GrammarNode, stack: Stack | undefined, within: RuleContext | undefined) => {
    const key = `${node.id} ${stackKey(stack)} ${depthOf(within)}`;
    if (seen.has(key)) {
      return;
    }
    seen.add(key);
    switch (node.kind) {
      case 'token':
        for (const token of node.tokens) {
          found.add(token);
        }
        break;
      case 'rule': {
        const start = grammar.starts.get(node.rule);
        if (start !== undefined) {
          look(start, { node: node.next, below: stack }, within);
        }
        break;
      }
      case 'predicate':
        look(node.next, stack, within);
        break;
      case 'choice':
        for (const alternative of node.alternatives) {
          look(alternative, stack, within);
        }
        break;
      case 'end':
        if (stack !== undefined) {
          look(stack.node, stack.below, within);
        } else if (within === undefined) {
          found.add('rule-end');
        } else if (within.invoking === undefined) {
          found.add('end');
        } else {
          look(within.invoking.next, undefined, within.parent);
        }
        break;
    }
  };
  look(place, undefined, context);
  return found;
}

interface Stack {
  readonly node: GrammarNode;
  readonly below: Stack | undefined;
}

function stackKey(stack: Stack | undefined): string {
  return stack === undefined ? '' : `${stack.node.id},${stackKey(stack.below)}`;
}

function depthOf(context: RuleContext | undefined): number {
  let depth = 0;
  for (let current = context; current !== undefined; current = current.parent) {
    depth++;
  }
  return depth;
}

/** Names of tokens in the order in which upstream lists them. */
const NAMES: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  ['end', '<EOF>'],
  ['==', "'=='"],
  ['!=', "'!='"],
  ['in', "'in'"],
  ['<', "'<'"],
  ['<=', "'<='"],
  ['>=', "'>='"],
  ['>', "'>'"],
  ['&&', "'&&'"],
  ['||', "'||'"],
  ['[', "'['"],
  [']', "']'"],
  ['{', "'{'"],
  ['}', "'}'"],
  ['(', "'('"],
  [')', "')'"],
  ['.', "'.'"],
  [',', "','"],
  ['-', "'-'"],
  ['!', "'!'"],
  ['?', "'?'"],
  [':', "':'"],
  ['+', "'+'"],
  ['*', "'*'"],
  ['/', "'/'"],
  ['%', "'%'"],
  ['true', "'true'"],
  ['false', "'false'"],
  ['null', "'null'"],
  ['double', 'NUM_FLOAT'],
  ['int', 'NUM_INT'],
  ['uint', 'NUM_UINT'],
  ['string', 'STRING'],
  ['bytes', 'BYTES'],
  ['identifier', 'IDENTIFIER'],
  ['quoted-identifier', 'ESC_IDENTIFIER'],
]);

/** `':'`, or `{']', ','}` when there are several. */
export function describeExpected(expected: Expected): string {
  const names = [...NAMES].filter(([kind]) => expected.has(kind)).map(([, name]) => name);
  return names.length === 1 ? `${names[0]}` : `{${names.join(', ')}}`;
}
