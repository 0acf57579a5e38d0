import type { FieldValidation, GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import type { ApiRequest } from '../request/pipeline.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { ValidationThread } from '../validation/validate-context.ts';
import type { Duplicates } from './decode-body.ts';
import type { KnownKinds } from './known-kinds.ts';

export interface DecodedKind {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  readonly namespaced: boolean;
  /** Kinds that a body may have by mistake. Default: none are known. */
  readonly others?: KnownKinds;
  /** Other `apiVersion`s that bodies may have. Default: none. */
  readonly alsoIn?: readonly string[];
  /** The status is a subresource. Default: it is a field like any other. */
  readonly hasSeparateStatus?: boolean;
  /** The thread that decodes large YAML documents. Default: the event loop. */
  readonly validationThread?: ValidationThread | undefined;
  /** A custom resource, whose bodies must contain their type. Default: false. */
  readonly custom?: boolean;
  /** Receives objects that the schema has accepted. */
  readonly applyDefaults: (object: KubeObject) => void;
}

export interface DecodeContext {
  readonly request: ApiRequest;
  readonly strictness: FieldValidation;
  readonly duplicates: Duplicates;
  /** The object is the result of an apply: its nulls were intended. */
  readonly isApplied?: boolean;
  /** The object is the result of a patch: errors are about the object, not about the body. */
  readonly isPatched?: boolean;
  /** For messages that contain its start. */
  readonly body: Uint8Array;
}
