import { notAcceptable, StatusError, unsupportedMediaType } from '@tributary/apimachinery';

/** Media types of responses; the first is the default. */
export const objectMediaTypes = ['application/json', 'application/yaml'] as const;
/** Media types of request bodies. */
const bodyMediaTypes = objectMediaTypes;

export type ObjectMediaType = (typeof objectMediaTypes)[number];

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/**
 * The list in errors. It contains protobuf although these kinds have no such encoding: upstream lists it for custom
 * resources, which have none either.
 */
const reportedMediaTypes: readonly string[] = [...objectMediaTypes, PROTOBUF];
/** Streams have no YAML encoding. */
const reportedStreamTypes: readonly string[] = [
  'application/json;stream=watch',
  `${PROTOBUF};stream=watch`,
];

const transformKinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;
const metaVersions = ['v1', 'v1beta1'] as const;

/** A representation of an object as another kind. */
export interface Transform {
  readonly kind: (typeof transformKinds)[number];
  readonly apiVersion: `meta.k8s.io/${(typeof metaVersions)[number]}`;
}

/** Options of a response from the Accept header, as `negotiation.MediaTypeOptions` upstream. */
export interface MediaTypeOptions {
  readonly mediaType: ObjectMediaType;
  readonly transform: Transform | undefined;
  readonly pretty: boolean;
}

/** Bound on the clauses parsed of one Accept header. */
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

/** Returns the options of the best clause that can be served, or undefined; unsupported clauses are skipped. */
export function negotiateMediaTypeOptions(
  accept: string,
  { transforms }: { transforms: 'allowed' | 'refused' },
): MediaTypeOptions | undefined {
  if (accept === '' || accept === objectMediaTypes[0]) return PLAIN; // the Accept header of most clients
  for (const clause of parseAccept(accept)) {
    const options = acceptMediaTypeOptions(clause, transforms === 'allowed');
    if (options !== undefined) return options;
  }
  return undefined;
}

/** The media type of a document that has no other representations. */
export function negotiate(accept: string): ObjectMediaType {
  requireProducible(accept, { streams: false });
  const options = negotiateMediaTypeOptions(accept, { transforms: 'refused' });
  if (options === undefined) throw noAcceptableType();
  return options.mediaType;
}

export function noAcceptableType(): StatusError {
  return notAcceptable(reportedMediaTypes);
}

export function noAcceptableStreamType(): StatusError {
  return notAcceptable(reportedStreamTypes);
}

/**
 * Rejects with upstream's router error, before any handler runs. The router compares bare media types and knows only
 * the wildcard for everything; its list includes stream types where the request may be a watch.
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

/** Only kinds with a Go struct decode protobuf. */
export function isProtobuf(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return type.trim().toLowerCase() === PROTOBUF;
}

/** The media type of a request body. Default: JSON. */
export function requireBodyType(contentType: string | undefined): ObjectMediaType {
  if (contentType === undefined || contentType === '') return objectMediaTypes[0];
  const [type = ''] = contentType.split(';', 1);
  const known = bodyMediaTypes.find((one) => one === type.trim().toLowerCase());
  if (known === undefined) throw unsupportedMediaType(reportedMediaTypes);
  return known;
}

/** Clauses by descending quality, concrete types before wildcards, otherwise in the order of the header. */
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
  // The only version of the server's own types is v1.
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
