import { notAcceptable, unsupportedMediaType } from '@tributary/apimachinery';

/** The media types in which objects are written; the first one is what a client without a wish gets. */
export const objectMediaTypes = ['application/json'] as const;
/** The media types in which request bodies are read. */
export const bodyMediaTypes = ['application/json'] as const;

export type ObjectMediaType = (typeof objectMediaTypes)[number];

/** Clauses looked at in one Accept header; a longer one is either broken or an attack. */
const CLAUSES_MAX = 64;

interface AcceptClause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The type for an answer; a clause that asks for a transformation we do not have is passed over. */
export function negotiate(accept: readonly string[], suffix = ''): ObjectMediaType {
  const header = accept.join(',');
  if (header === objectMediaTypes[0]) return objectMediaTypes[0]; // what most clients send
  const clauses = parseAccept(header);
  if (clauses.length === 0) return objectMediaTypes[0];
  for (const clause of clauses) {
    if (clause.parameters.has('as')) continue;
    const offered = objectMediaTypes.find((type) => covers(clause.mediaType, type));
    if (offered !== undefined) return offered;
  }
  throw notAcceptable(objectMediaTypes.map((type) => `${type}${suffix}`));
}

export function requireBodyType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const [type = ''] = contentType.split(';', 1);
  const known: readonly string[] = bodyMediaTypes;
  if (!known.includes(type.trim().toLowerCase())) throw unsupportedMediaType(bodyMediaTypes);
}

/** Clauses by falling quality, concrete types before wildcards, otherwise as sent. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = header
    .split(',', CLAUSES_MAX)
    .map(parseClause)
    .filter(({ mediaType }) => mediaType !== '');
  return clauses.sort(
    (a, b) => b.quality - a.quality || wildcards(a.mediaType) - wildcards(b.mediaType),
  );
}

function parseClause(text: string): AcceptClause {
  const [mediaType = '', ...rest] = text.split(';');
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim().toLowerCase();
    parameters.set(name, parameter.slice(equals + 1).trim());
  }
  const quality = Number(parameters.get('q') ?? 1);
  return {
    mediaType: mediaType.trim().toLowerCase(),
    parameters,
    quality: Number.isFinite(quality) ? quality : 0,
  };
}

function wildcards(mediaType: string): number {
  if (mediaType === '*/*') return 2;
  return mediaType.endsWith('/*') ? 1 : 0;
}

function covers(wanted: string, offered: string): boolean {
  if (wanted === '*/*' || wanted === offered) return true;
  return wanted.endsWith('/*') && offered.startsWith(wanted.slice(0, -1));
}
