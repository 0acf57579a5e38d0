import { initialEventsEndAnnotation } from '@tributary/apimachinery';
import type { BookmarkHead, ListHead } from './form.ts';

/** `metadata` of a list. Revisions and tokens contain nothing that JSON would escape. */
export function listMetadata({ resourceVersion, continue: token, remaining }: ListHead): string {
  const fields = resourceVersion === '' ? [] : [`"resourceVersion":"${resourceVersion}"`];
  if (token !== undefined) {
    fields.push(`"continue":"${token}"`);
    if (remaining !== undefined) fields.push(`"remainingItemCount":${remaining}`);
  }
  return `{${fields.join(',')}}`;
}

/** The same for custom resources, whose metadata includes an empty continue token. */
export function customListMetadata(head: ListHead): string {
  if (head.continue !== undefined) return listMetadata(head);
  const { remaining: _, ...last } = head;
  return listMetadata({ ...last, continue: '' });
}

/** `metadata` of a bookmark's object. */
export function bookmarkMetadata({ resourceVersion, initialEventsEnd }: BookmarkHead): string {
  const annotations = initialEventsEnd
    ? `,"annotations":{"${initialEventsEndAnnotation}":"true"}`
    : '';
  return `{"resourceVersion":"${resourceVersion}"${annotations}}`;
}
