import {
  type FieldError,
  type FieldPath,
  fieldError,
  type NameValidator,
  type ObjectMeta,
  root,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
} from '@tributary/apimachinery';

const METADATA = root('metadata');

export interface MetadataRules {
  readonly namespaced: boolean;
  readonly validateName: NameValidator;
  /** Upstream's younger groups do not look at what finalizers are called. */
  readonly anyFinalizer?: true;
}

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Upstream's own kinds look at the metadata first, and tell all at once. */
export function metadataErrors({ metadata }: WithMetadata, rules: MetadataRules): FieldError[] {
  return [
    ...validateObjectMetaCreate(metadata, { ...rules, path: METADATA }),
    ...finalizerErrors(metadata, rules),
  ];
}

/** What the server asks of every update is asked by its own kinds once more. */
export function metadataUpdateErrors(
  next: WithMetadata,
  live: WithMetadata,
  rules: Pick<MetadataRules, 'anyFinalizer'> = {},
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(next.metadata, live.metadata, METADATA),
    ...finalizerErrors(next.metadata, rules),
  ];
}

function finalizerErrors(
  { finalizers = [] }: ObjectMeta,
  { anyFinalizer }: Pick<MetadataRules, 'anyFinalizer'>,
): FieldError[] {
  if (anyFinalizer) return [];
  const path = METADATA.child('finalizers');
  return finalizers.flatMap((name, index) => unknownFinalizerErrors(path.index(index), name));
}

const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** A name without a domain belongs to Kubernetes itself, which has these. */
export function unknownFinalizerErrors(path: FieldPath, name: string): FieldError[] {
  if (name.includes('/') || STANDARD_FINALIZERS.includes(name)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [fieldError.invalid(path, name, detail)];
}
