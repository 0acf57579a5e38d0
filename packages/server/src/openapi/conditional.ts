import type { ApiRequest } from '../request/pipeline.ts';

/** The validators of a document, for conditional requests. */
export interface Validators {
  /** The value of its `ETag`. */
  readonly tag: string;
  readonly modifiedMs: number;
}

/** Whether the client has the document already; the date counts only without a tag. */
export function isNotModified({ headers }: ApiRequest, { tag, modifiedMs }: Validators): boolean {
  const tags = headers.get('if-none-match');
  if (tags !== undefined) return tags.split(',').some((one) => matches(one.trim(), tag));
  const sinceMs = Date.parse(headers.get('if-modified-since') ?? '');
  // HTTP dates have whole seconds.
  return Math.floor(modifiedMs / 1000) <= sinceMs / 1000;
}

function matches(asked: string, tag: string): boolean {
  return asked === '*' || asked === tag || asked === `W/${tag}`;
}
