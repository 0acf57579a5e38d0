import { mergeTag } from './yaml-scalar.ts';

interface NodeBase {
  /** Where the node begins, from zero; for an empty one, where it would. */
  readonly line: number;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly text: string;
  /** The full tag; empty without one. */
  readonly tag: string;
  /** Written without quotes and tag, so that the text decides what it is. */
  readonly implicit: boolean;
}

export interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** Keys and values in turn. */
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
