import type { Mark } from './yaml-cursor.ts';

export type TokenType =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  readonly start: Mark;
  readonly endLine: number;
  /** The text of a scalar, the name of an anchor, the suffix of a tag, the prefix or version of a directive. */
  readonly text: string;
  /** The handle of a tag or of a directive. */
  readonly handle: string;
  readonly isPlain: boolean;
}
