import type { ApiRequest } from './pipeline.ts';

const BROWSERS = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Whether JSON is indented: as the query says, and by default for browsers and curl. */
export function wantsPretty({ query, headers }: ApiRequest): boolean {
  const requested = query.get('pretty') ?? '';
  if (requested !== '') return requested !== '0' && requested.toLowerCase() !== 'false';
  return BROWSERS.test(headers.get('user-agent') ?? '');
}
