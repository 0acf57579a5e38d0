import { notAcceptable, StatusError, unsupportedMediaType } from '@tributary/apimachinery';

/** The media types in which objects are written; the first one is what a client without a wish gets. */
export const objectMediaTypes = ['application/json', 'application/yaml'] as const;
/** The media types in which request bodies are read. */
export const bodyMediaTypes = objectMediaTypes;

export type ObjectMediaType = (typeof objectMediaTypes)[number];

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/**
 * As refusals list them. Protobuf is among them although none of our kinds has such a form: upstream says the same
 * of custom resources, which have none either.
 */
const reportedMediaTypes: readonly string[] = [...objectMediaTypes, PROTOBUF];
/** YAML has no form in which one document follows another. */
const reportedStreamTypes: readonly string[] = [
  'application/json;stream=watch',
  `${PROTOBUF};stream=watch`,
];

const transformKinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const metaVersions = ['v1', 'v1beta1'] as const;

/** Something else that is made of an object on its way out. */
export interface Transform {
  readonly kind: (typeof transformKinds)[number];
  readonly apiVersion: `meta.k8s.io/${(typeof metaVersions)[number]}`;
}

/** What a client wants of an answer, as its Accept header says. */
export interface MediaTypeOptions {
  readonly mediaType: ObjectMediaType;
  readonly transform: Transform | undefined;
  readonly pretty: boolean;
}

/** Clauses looked at in one Accept header; a longer one is either broken or an attack. */
const CLAUSES_MAX = 64;

interface AcceptClause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const PLAIN: MediaTypeOptions = {
  mediaType: objectMediaTypes[0],
  transform: undefined,
  pretty: false,
};

/** The best clause that can be served; one that asks for something we do not have is passed over. */
export function negotiateMediaTypeOptions(
  accept: string,
  { transforms }: { transforms: 'allowed' | 'refused' },
): MediaTypeOptions | undefined {
  if (accept === '' || accept === objectMediaTypes[0]) return PLAIN; // what most clients send
  for (const clause of parseAccept(accept)) {
    const wish = acceptMediaTypeOptions(clause, transforms === 'allowed');
    if (wish !== undefined) return wish;
  }
  return undefined;
}

/** The type for a document that has no other forms. */
export function negotiate(accept: string): ObjectMediaType {
  requireProducible(accept, { streams: false });
  const wish = negotiateMediaTypeOptions(accept, { transforms: 'refused' });
  if (wish === undefined) throw noAcceptableType();
  return wish.mediaType;
}

export function noAcceptableType(): StatusError {
  return notAcceptable(reportedMediaTypes);
}

export function noAcceptableStreamType(): StatusError {
  return notAcceptable(reportedStreamTypes);
}

/**
 * Refuses what upstream's router refuses, before any handler has looked at the request: it compares bare media types,
 * and knows no wildcard but that for everything. Its list has the types of streams where a watch may be meant.
 */
export function requireProducible(accept: string, { streams }: { streams: boolean }): void {
  if (accept === '' || accept === objectMediaTypes[0]) return;
  const sent = accept.split(',', CLAUSES_MAX).map((clause) => parseClause(clause).mediaType);
  if (sent.some((type) => type === '*/*' || reportedMediaTypes.includes(type))) return;
  const available = streams ? [...reportedMediaTypes, ...reportedStreamTypes] : reportedMediaTypes;
  throw new StatusError({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`,
    details: {},
  });
}

/** Only what has a Go struct is read in protocol buffers. */
export function isProtobuf(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return type.trim().toLowerCase() === PROTOBUF;
}

/** The type of a request body; one that says nothing is JSON. */
export function requireBodyType(contentType: string | undefined): ObjectMediaType {
  if (contentType === undefined || contentType === '') return objectMediaTypes[0];
  const [type = ''] = contentType.split(';', 1);
  const known = bodyMediaTypes.find((one) => one === type.trim().toLowerCase());
  if (known === undefined) throw unsupportedMediaType(reportedMediaTypes);
  return known;
}

/** Clauses by falling quality, concrete types before wildcards, otherwise as sent. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses = header
    .split(',', CLAUSES_MAX)
    .map(parseClause)
    .filter(({ mediaType }) => mediaType.includes('/'));
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

function acceptMediaTypeOptions(
  { mediaType, parameters }: AcceptClause,
  transformsAllowed: boolean,
): MediaTypeOptions | undefined {
  const offered = objectMediaTypes.find(
    (type) => covers(mediaType, type) && allowsStream(type, parameters),
  );
  // The version that this server's own types have is the only one there is.
  const serverVersion = parameters.get('sv') ?? '';
  if (offered === undefined || (serverVersion !== '' && serverVersion !== 'v1')) return undefined;
  const pretty = parameters.get('pretty') === '1';
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) {
    return { mediaType: offered, transform: undefined, pretty };
  }
  const transform = transformsAllowed ? transformOf(parameters) : undefined;
  return transform && { mediaType: offered, transform, pretty };
}

function allowsStream(type: ObjectMediaType, parameters: ReadonlyMap<string, string>): boolean {
  const stream = parameters.get('stream') ?? '';
  return stream === '' || (stream === 'watch' && type === 'application/json');
}

function transformOf(parameters: ReadonlyMap<string, string>): Transform | undefined {
  const kind = transformKinds.find((one) => one === parameters.get('as'));
  const version = metaVersions.find((one) => one === parameters.get('v'));
  if (kind === undefined || version === undefined) return undefined;
  if (parameters.get('g') !== 'meta.k8s.io') return undefined;
  return { kind, apiVersion: `meta.k8s.io/${version}` };
}

function wildcards(mediaType: string): number {
  if (mediaType === '*/*') return 2;
  return mediaType.endsWith('/*') ? 1 : 0;
}

function covers(wanted: string, offered: string): boolean {
  if (wanted === '*/*' || wanted === offered) return true;
  return wanted.endsWith('/*') && offered.startsWith(wanted.slice(0, -1));
}
