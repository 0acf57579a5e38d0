import { type InternalStruct, internalText } from './internal-text.ts';
import { lineDiff } from './line-diff.ts';

/** The words of a refusal, and below them the lines that differ in upstream's form of what changed. */
export function withLines(
  words: string,
  struct: InternalStruct,
  { before, after }: { readonly before: object; readonly after: object },
): string {
  return `${words}\n${lineDiff(internalText(struct, before), internalText(struct, after))}`;
}
