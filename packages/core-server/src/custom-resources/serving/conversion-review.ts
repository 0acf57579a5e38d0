import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';

/** The versions that upstream supports; the first one that the webhook supports is used. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;
type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

const GROUP = 'apiextensions.k8s.io';

/** One request to a webhook. */
export interface Review {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly objects: readonly KubeObject[];
  /** The apiVersion to convert to. */
  readonly desired: string;
}

/** An invalid response; its message is upstream's. */
export class BadReview extends Error {
  override name = 'BadReview';
}

export function reviewVersionOf(known: readonly string[]): ReviewVersion {
  const found = known.find((one): one is ReviewVersion =>
    (REVIEW_VERSIONS as readonly string[]).includes(one),
  );
  if (found === undefined) throw new BadReview('no supported conversion review versions');
  return found;
}

export function reviewBody({ version, uid, objects, desired }: Review): object {
  return {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${version}`,
    request: { uid, desiredAPIVersion: desired, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/** The converted objects of a response, each compared with the original. Throws `BadReview`. */
export function convertedObjects(review: Review, body: unknown): readonly KubeObject[] {
  const of = gvkOf(review.objects[0]);
  const converted = responseObjects(review, body, `conversion webhook for ${of} failed: `);
  if (converted.length !== review.objects.length) {
    throw new BadReview(
      `conversion webhook for ${of} returned ${converted.length} objects, expected ${review.objects.length}`,
    );
  }
  return review.objects.map((original, index) =>
    requireSameIdentity(original, converted[index], { desired: review.desired, of, index }),
  );
}

/** A GroupVersionKind as Go prints it. */
export function gvkOf(object: Partial<KubeObject> | undefined): string {
  return `${object?.apiVersion || '/'}, Kind=${object?.kind ?? ''}`;
}

function responseObjects(
  { version, uid }: Review,
  body: unknown,
  prefix: string,
): readonly unknown[] {
  const fail = (reason: string): never => {
    throw new BadReview(prefix + reason);
  };
  const { apiVersion, kind, response } = recordOf(body);
  // Upstream does not validate kind and uid of the older version.
  const isStrict = version === 'v1';
  const expected = `${GROUP}/${version}, Kind=ConversionReview`;
  const got = gvkOf({ apiVersion: textOf(apiVersion), kind: textOf(kind) });
  if (textOf(kind) !== '' && got !== expected) {
    const at = JSON.stringify(textOf(apiVersion));
    fail(`no kind ${JSON.stringify(kind)} is registered for version ${at} in scheme "${GROUP}"`);
  }
  if (isStrict && got !== expected) fail(`expected webhook response of ${expected}, got ${got}`);
  if (!isRecord(response)) return fail('no response provided');
  const responseUid = textOf(response.uid);
  if (isStrict && responseUid !== uid) {
    fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(responseUid)}`);
  }
  const { status, message } = recordOf(response.result);
  if (status !== 'Success') {
    fail(textOf(message) || `response.result.status was '${textOf(status)}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

interface Expected {
  readonly desired: string;
  readonly of: string;
  readonly index: number;
}

/** A webhook must not change the identity of an object. */
function requireSameIdentity(
  original: KubeObject,
  response: unknown,
  expected: Expected,
): KubeObject {
  const { desired, of, index } = expected;
  const object = recordOf(response);
  const [apiVersion, kind] = [textOf(object.apiVersion), textOf(object.kind)];
  const invalid = `conversion webhook for ${of} returned invalid object`;
  if (apiVersion !== desired) {
    throw new BadReview(
      `${invalid} at index ${index}: invalid groupVersion (expected ${desired}, received ${apiVersion})`,
    );
  }
  if (kind !== original.kind) {
    throw new BadReview(
      `${invalid} at index ${index}: invalid kind (expected ${original.kind}, received ${kind})`,
    );
  }
  const changed = recordOf(object.metadata);
  for (const [field, word] of IDENTITY) {
    const [before, after] = [original.metadata[field] ?? '', textOf(changed[field])];
    if (before !== after) {
      throw new BadReview(`${invalid}: must have the same ${word}: ${before} != ${after}`);
    }
  }
  if (!isRecord(object.metadata)) {
    throw new BadReview(
      `conversion webhook for ${of} returned invalid metadata: missing metadata in converted object`,
    );
  }
  const metadata = withLabelsAndAnnotations(original.metadata, changed, of);
  return { ...object, apiVersion, kind, metadata };
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Webhooks may change only labels and annotations of the metadata. */
function withLabelsAndAnnotations(
  original: ObjectMeta,
  metadata: Readonly<Record<string, unknown>>,
  of: string,
): ObjectMeta {
  const { labels: _labels, annotations: _annotations, ...rest } = original;
  return {
    ...rest,
    ...stringMapOf(metadata, 'labels', of),
    ...stringMapOf(metadata, 'annotations', of),
  };
}

function stringMapOf(
  metadata: Readonly<Record<string, unknown>>,
  field: 'labels' | 'annotations',
  of: string,
): Partial<ObjectMeta> {
  const words = metadata[field];
  if (words === undefined || words === null) return {};
  const invalid = `conversion webhook for ${of} returned invalid metadata: `;
  if (!isRecord(words)) {
    throw new BadReview(
      `${invalid}invalid metadata.${field} of type ${goType(words)} in converted object`,
    );
  }
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === 'string') continue;
    throw new BadReview(
      `${invalid}metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`,
    );
  }
  return { [field]: words };
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
