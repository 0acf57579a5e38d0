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
  /** Upstream's newer groups do not validate the names of finalizers. */
  readonly anyFinalizer?: true;
}

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Built-in kinds validate the metadata first, and report all errors together. */
export function metadataErrors({ metadata }: WithMetadata, rules: MetadataRules): FieldError[] {
  return [
    ...validateObjectMetaCreate(metadata, { ...rules, path: METADATA }),
    ...finalizerErrors(metadata, rules),
  ];
}

/** Built-in kinds repeat the validation that the generic update does. */
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

/** Names without a domain are reserved for Kubernetes. */
export function unknownFinalizerErrors(path: FieldPath, name: string): FieldError[] {
  if (name.includes('/') || STANDARD_FINALIZERS.includes(name)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [fieldError.invalid(path, name, detail)];
}
