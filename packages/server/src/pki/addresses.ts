import { isIPv4 } from 'node:net';

/** The bytes of an IP address in a certificate, 4 or 16; undefined for any other text. */
export function addressBytes(text: string): Buffer | undefined {
  if (!text.includes(':')) {
    return isIPv4(text) ? Buffer.from(text.split('.').map(Number)) : undefined;
  }
  // Not `isIP`, which compiles its expression for 9 ms. The URL parser validates addresses, and has one form of each:
  // hexadecimal groups with at most one `::`.
  const url = `http://[${text}]`;
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const [left = '', right = ''] = new URL(url).hostname.slice(1, -1).split('::');
  const before = groupsOf(left);
  const after = groupsOf(right);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]));
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** DNS names in lower case, addresses in one form: equal names have equal keys. */
export function nameKey(name: string): string {
  return addressBytes(name)?.toString('hex') ?? name.toLowerCase();
}

/** Labels of a DNS name, the first possibly a wildcard. Underscores are in use, whatever the standard says. */
const DNS_NAME =
  /^(?=.{1,253}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;

/** DNS names and IP addresses of serving certificates. */
export function isServerName(name: string): boolean {
  return addressBytes(name) !== undefined || DNS_NAME.test(name);
}
