import { type InternalStruct, internalText } from './internal-text.ts';
import { lineDiff } from './line-diff.ts';

/** The message, followed by the diff in upstream's internal form. */
export function withDiff(
  words: string,
  struct: InternalStruct,
  { before, after }: { readonly before: object; readonly after: object },
): string {
  return `${words}\n${lineDiff(internalText(struct, before), internalText(struct, after))}`;
}
