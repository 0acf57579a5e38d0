/** Nodes with their height and size, which are bounded as they are made. */
import type { CharacterClass } from './character-class.ts';
import { type Assertion, HEIGHT_MAX, type RegexpNode, type Repeat, SIZE_MAX } from './node.ts';
import { RegexpError, TOO_DEEP, TOO_LARGE } from './regexp-error.ts';

export const EMPTY: RegexpNode = { kind: 'empty', height: 1, size: 1 };

export function classNode(of: CharacterClass): RegexpNode {
  return { kind: 'class', class: of, height: 1, size: 1 };
}

export function assertionNode(assertion: Assertion): RegexpNode {
  return { kind: 'assertion', assertion, height: 1, size: 1 };
}

export function groupNode(of: RegexpNode, pattern: string): RegexpNode {
  return bounded({ kind: 'group', of, height: of.height + 1, size: of.size + 2 }, pattern);
}

export function repeatNode(of: RegexpNode, repeat: Repeat, pattern: string): RegexpNode {
  const size = Math.max(1, repeatSize(of.size, repeat));
  return bounded({ kind: 'repeat', of, repeat, height: of.height + 1, size }, pattern);
}

export function joinedNode(
  kind: 'concatenation' | 'alternation',
  parts: readonly RegexpNode[],
  pattern: string,
): RegexpNode {
  const [first = EMPTY, ...others] = parts;
  if (others.length === 0) return first;
  const links = kind === 'alternation' ? others.length : 0;
  const size = parts.reduce((sum, part) => sum + part.size, links);
  const height = 1 + parts.reduce((highest, part) => Math.max(highest, part.height), 0);
  return bounded({ kind, parts, height, size }, pattern);
}

function repeatSize(size: number, { min, max }: Repeat): number {
  if (max !== Number.POSITIVE_INFINITY) return max * size + (max - min);
  return min === 0 ? 2 + size : 1 + min * size;
}

function bounded(node: RegexpNode, pattern: string): RegexpNode {
  if (node.size > SIZE_MAX) throw new RegexpError(TOO_LARGE, pattern);
  if (node.height > HEIGHT_MAX) throw new RegexpError(TOO_DEEP, pattern);
  return node;
}
