import { initialEventsEndAnnotation } from '@tributary/apimachinery';
import type { BookmarkHead, ListHead } from './form.ts';

/** `metadata` of a list. Neither revisions nor tokens have anything in them that JSON would escape. */
export function listMetadata({ resourceVersion, continue: token, remaining }: ListHead): string {
  const fields = resourceVersion === '' ? [] : [`"resourceVersion":"${resourceVersion}"`];
  if (token !== undefined) {
    fields.push(`"continue":"${token}"`);
    if (remaining !== undefined) fields.push(`"remainingItemCount":${remaining}`);
  }
  return `{${fields.join(',')}}`;
}

/** `metadata` of a bookmark's object. */
export function bookmarkMetadata({ resourceVersion, initialEventsEnd }: BookmarkHead): string {
  const annotations = initialEventsEnd
    ? `,"annotations":{"${initialEventsEndAnnotation}":"true"}`
    : '';
  return `{"resourceVersion":"${resourceVersion}"${annotations}}`;
}
