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
  /** Other kinds that a body may be of by mistake. Default: none are known. */
  readonly others?: KnownKinds;
  /** Other groups and versions in which the same may be sent. Default: none. */
  readonly alsoIn?: readonly string[];
  /** The status is a subresource. Default: it is a field like any other. */
  readonly hasSeparateStatus?: boolean;
  /** Where large documents of YAML are read. Default: on the loop. */
  readonly validationThread?: ValidationThread | undefined;
  /** It is a custom resource, whose bodies must say what they are. Default: false. */
  readonly custom?: boolean;
  /** Sees objects that the schema has accepted. */
  readonly applyDefaults: (object: KubeObject) => void;
}

export interface Circumstances {
  readonly request: ApiRequest;
  readonly strictness: FieldValidation;
  readonly duplicates: Duplicates;
  /** Was merged, not sent: what is null in it was meant to be. */
  readonly isApplied?: boolean;
  /** A patch has made it: what is wrong is wrong with the object, not with what was sent. */
  readonly isPatched?: boolean;
  /** For messages that show how it begins. */
  readonly body: Uint8Array;
}
