/** Deliberate differences between our aggregator and the original; counted with those of the sample API server. */
import { differences as wardle } from '../differential/differences.ts';
import { at, type Json } from '../differential/json.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

/** Of our sample server behind it, which are seen through it; not there when the original sample is behind. */
export const ofTheSample: readonly string[] = [
  'list items say what they are',
  'the newer version is stored',
  'kinds have short names',
];

export const differences: readonly DeliberateDifference[] = [
  ...wardle.filter(({ id }) => ofTheSample.includes(id)),
  {
    id: 'headers that two servers set are sent once',
    rows: /./,
    path: /^headers\.(audit-id|cache-control)$/,
    accepts: ({ ours, reference }) =>
      typeof ours === 'string' && Array.isArray(reference) && reference.includes(ours),
    benefit:
      'A request that was passed on has one Audit-Id and one Cache-Control, so that its line in the audit log is found; the original sends those of both servers.',
  },
  {
    id: 'a failure is a Status, never plain text',
    rows: /^proxy: (a redirect with|an answer that comes too late)/,
    path: /^(headers\.(content-type|x-content-type-options)|text|body(\.(kind|apiVersion))?|layout)$/,
    accepts: ({ path, ours, reference }) =>
      path !== 'body' || (reference === undefined && at(ours, 'kind') === 'Status'),
    benefit: 'Clients and people read every failure in the same way, with its code and reason.',
  },
  {
    id: 'nobody is asked to compress for the aggregator',
    rows: /^proxy: /,
    path: /^body\.lines\.accept-encoding$/,
    accepts: ({ ours, reference }) => ours === undefined && String(reference) === 'gzip',
    benefit:
      'A server compresses an answer when the client wants that, and not for a proxy that would only undo it.',
  },
  {
    id: 'a path and a query arrive as they were sent',
    rows: /^proxy: a (list with selectors|query |path with (an )?encoded )/,
    path: /^body\.(target|lines\.x-forwarded-uri\[0\])$/,
    accepts: ({ ours, reference }) => meaningOf(ours) === meaningOf(reference),
    benefit:
      'What a client encodes stays encoded, slashes too, so that the server sees the name that was meant, and a query in the order in which it was written.',
  },
  {
    id: 'a probe says in words what is wrong',
    rows: /^availability: /,
    path: /^body\.status\.conditions\[0\]\.message$/,
    accepts: ({ ours, reference }) =>
      probedUrl(ours) !== undefined && probedUrl(ours) === probedUrl(reference),
    benefit:
      'The condition says what to repair, without addresses that differ each time and would be written each time.',
  },
];

/** Path and query, decoded and in one order. */
function meaningOf(target: Json | undefined): string {
  const [path = '', query = ''] = String(target).split('?');
  const pairs = [...new URLSearchParams(query)].map(([key, value]) => `${key}=${value}`);
  const byKey = pairs.toSorted(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0));
  return `${decodeURIComponent(path)} ${byKey.join(' ')}`;
}

function probedUrl(message: Json | undefined): string | undefined {
  return /^failing or missing response from (https:\S+): \S/.exec(String(message))?.[1];
}
