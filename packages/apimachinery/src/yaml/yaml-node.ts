import { mergeTag } from './yaml-scalar.ts';

interface NodeBase {
  /** The line of the node's start, or of the position of an empty node, from zero. */
  readonly line: number;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly text: string;
  /** The resolved tag; empty without one. */
  readonly tag: string;
  /** Plain and without a tag, so that the text determines the type. */
  readonly implicit: boolean;
}

export interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** The children alternate between keys and values. */
export interface MappingNode extends NodeBase {
  readonly kind: 'mapping';
  readonly children: YamlNode[];
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export function isMergeKey(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && (node.implicit || node.tag === mergeTag);
}
