import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';

/** Both that upstream speaks; of the versions a webhook knows the first of these is spoken. */
const REVIEW_VERSIONS = ['v1', 'v1beta1'] as const;
type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

const GROUP = 'apiextensions.k8s.io';

/** One question to a webhook. */
export interface Review {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly objects: readonly KubeObject[];
  /** Group and version that the objects shall have. */
  readonly desired: string;
}

/** What is wrong with an answer, in upstream's words. */
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

/** The converted objects of an answer, each checked against what was sent. Throws what is wrong. */
export function convertedObjects(review: Review, answer: unknown): readonly KubeObject[] {
  const of = gvkOf(review.objects[0]);
  const converted = inAnswer(review, answer, `conversion webhook for ${of} failed: `);
  if (converted.length !== review.objects.length) {
    throw new BadReview(
      `conversion webhook for ${of} returned ${converted.length} objects, expected ${review.objects.length}`,
    );
  }
  return review.objects.map((original, index) =>
    checked(original, converted[index], { desired: review.desired, of, index }),
  );
}

/** As Go prints what kind of object something is. */
export function gvkOf(object: Partial<KubeObject> | undefined): string {
  return `${object?.apiVersion || '/'}, Kind=${object?.kind ?? ''}`;
}

function inAnswer({ version, uid }: Review, answer: unknown, prefix: string): readonly unknown[] {
  const fail = (why: string): never => {
    throw new BadReview(prefix + why);
  };
  const { apiVersion, kind, response } = recordOf(answer);
  // The older version was never asked what it is, nor what it answers.
  const isStrict = version === 'v1';
  const expected = `${GROUP}/${version}, Kind=ConversionReview`;
  const got = gvkOf({ apiVersion: textOf(apiVersion), kind: textOf(kind) });
  if (textOf(kind) !== '' && got !== expected) {
    const at = JSON.stringify(textOf(apiVersion));
    fail(`no kind ${JSON.stringify(kind)} is registered for version ${at} in scheme "${GROUP}"`);
  }
  if (isStrict && got !== expected) fail(`expected webhook response of ${expected}, got ${got}`);
  if (!isRecord(response)) return fail('no response provided');
  const answered = textOf(response.uid);
  if (isStrict && answered !== uid) {
    fail(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}`);
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

/** A webhook changes what is in an object, not which one it is. */
function checked(original: KubeObject, converted: unknown, expected: Expected): KubeObject {
  const { desired, of, index } = expected;
  const object = recordOf(converted);
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
  const given = recordOf(object.metadata);
  for (const [field, word] of IDENTITY) {
    const [before, after] = [original.metadata[field] ?? '', textOf(given[field])];
    if (before !== after) {
      throw new BadReview(`${invalid}: must have the same ${word}: ${before} != ${after}`);
    }
  }
  if (!isRecord(object.metadata)) {
    throw new BadReview(
      `conversion webhook for ${of} returned invalid metadata: missing metadata in converted object`,
    );
  }
  const metadata = withOwnWords(original.metadata, given, of);
  return { ...object, apiVersion, kind, metadata };
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/** Of the metadata a webhook may write labels and annotations. */
function withOwnWords(
  original: ObjectMeta,
  given: Readonly<Record<string, unknown>>,
  of: string,
): ObjectMeta {
  const { labels: _labels, annotations: _annotations, ...rest } = original;
  return { ...rest, ...wordsOf(given, 'labels', of), ...wordsOf(given, 'annotations', of) };
}

function wordsOf(
  given: Readonly<Record<string, unknown>>,
  field: 'labels' | 'annotations',
  of: string,
): Partial<ObjectMeta> {
  const words = given[field];
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
