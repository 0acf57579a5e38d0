import {
  type FieldError,
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
}

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Upstream's own kinds look at the metadata first, and tell all at once. */
export function metadataErrors({ metadata }: WithMetadata, rules: MetadataRules): FieldError[] {
  return validateObjectMetaCreate(metadata, { ...rules, path: METADATA });
}

/** What the server asks of every update is asked by its own kinds once more. */
export function metadataUpdateErrors(next: WithMetadata, live: WithMetadata): FieldError[] {
  return validateObjectMetaUpdate(next.metadata, live.metadata, METADATA);
}
