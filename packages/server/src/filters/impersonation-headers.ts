import { badRequest, goQuote } from '@tributary/apimachinery';
import { impersonateHeaders } from '@tributary/client/http';
import { headerText, unescapeKey } from '../auth/header-text.ts';
import type { UserInfo } from '../request/pipeline.ts';
import type { RequestHeaders } from '../request/request-headers.ts';

const { user: USER, uid: UID, group: GROUP, extraPrefix: EXTRA_PREFIX } = impersonateHeaders;

/** The requested user as sent, without additions. Undefined without impersonation; throws 400 for parts of a user. */
export function impersonationWanted(headers: RequestHeaders): UserInfo | undefined {
  const wanted: UserInfo = {
    name: headerText(headers.get(USER) ?? ''),
    uid: headerText(headers.get(UID) ?? ''),
    // One header is one group: group names may contain commas.
    groups: headers.all(GROUP).map(headerText),
    extra: extraOf(headers),
  };
  if (wanted.name !== '') return wanted;
  if (wanted.uid === '' && wanted.groups.length === 0 && isEmpty(wanted.extra)) return undefined;
  throw badRequest(`requested ${goSyntax(wanted)} without impersonating a user name`);
}

function extraOf(headers: RequestHeaders): Record<string, string[]> {
  const extra: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headers.entries()) {
    if (!name.startsWith(EXTRA_PREFIX)) continue;
    const key = unescapeKey(name.slice(EXTRA_PREFIX.length));
    const values = extra[key];
    if (values === undefined) extra[key] = [headerText(value)];
    else values.push(headerText(value));
  }
  return extra;
}

function isEmpty(extra: UserInfo['extra']): boolean {
  for (const _ in extra) return false;
  return true;
}

/** Upstream's text of the user in its error: a Go struct. */
function goSyntax({ name, uid, groups, extra }: UserInfo): string {
  const keys = Object.keys(extra).sort();
  const entries = keys.map((key) => `${goQuote(key)}:${goStrings(extra[key] ?? [])}`);
  const map =
    keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  const fields = [
    `Name:${goQuote(name)}`,
    `UID:${goQuote(uid)}`,
    `Groups:${goStrings(groups)}`,
    `Extra:${map}`,
  ];
  return `&user.DefaultInfo{${fields.join(', ')}}`;
}

function goStrings(values: readonly string[]): string {
  return values.length === 0 ? '[]string(nil)' : `[]string{${values.map(goQuote).join(', ')}}`;
}
