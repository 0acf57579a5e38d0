export { FieldManager, type FieldManagerOptions } from './apply/field-manager.ts';
export { FieldSet } from './apply/field-set.ts';
export type { OwnedKind } from './apply/ownership.ts';
export {
  parentManagedFields,
  type ReplicasPaths,
  scaleManagedFields,
} from './apply/scale-ownership.ts';
export { objectType } from './apply/schema-type.ts';
export type { Type as MergeType } from './apply/type.ts';
export { TypedError } from './apply/typed-error.ts';
export {
  type ContinueToken,
  continueAfter,
  decodeContinueToken,
  encodeContinueToken,
} from './continue-token.ts';
export {
  type DeleteOptions,
  type DeletionPropagation,
  decodeDeleteOptions,
  type Preconditions,
  parseDeleteOptions,
} from './delete-options.ts';
export {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  expired,
  forbidden,
  generateNameExhausted,
  internalError,
  invalid,
  methodNotAllowed,
  methodNotSupported,
  noSuchResource,
  notAcceptable,
  notConvertible,
  notFound,
  objectModified,
  patchRejected,
  plainError,
  requestEntityTooLarge,
  serverTimeout,
  serviceUnavailable,
  statusFromError,
  storeReadError,
  timeout,
  tooLargeResourceVersion,
  tooManyPatchOperations,
  tooManyRequests,
  tooManyValues,
  unauthorized,
  unsupportedMediaType,
  unsupportedPatchType,
} from './errors.ts';
export {
  aggregateText,
  aggregateTexts,
  declarative,
  type FieldError,
  type FieldErrorType,
  fieldError,
  fieldErrorBody,
  fieldErrorText,
  withoutRepeats,
} from './field-error.ts';
export {
  fieldManagerBytesMax,
  fieldManagerFromUserAgent,
  validateFieldManager,
} from './field-manager.ts';
export { FieldPath, root } from './field-path.ts';
export {
  escapeFieldValue,
  type FieldRequirement,
  FieldSelector,
  type FieldTranslation,
  type ParsedFieldSelector,
  parseFieldSelector,
} from './field-selector.ts';
export { formatGoDuration, type GoDuration, parseGoDuration } from './go-duration.ts';
export { type GoInteger, parseGoInt64, parseGoUint64 } from './go-integer.ts';
export { goQuote, goQuoteRune, isGoPrintable } from './go-quote.ts';
export { GoTypeError } from './go-struct.ts';
export { GoText, goJson, goText, printGoNumber, printGoValue } from './go-value.ts';
export {
  compareKubeVersions,
  formatGroupVersion,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
  qualifiedKind,
  qualifiedResource,
} from './group-version.ts';
export { humanAge, humanDuration } from './human-duration.ts';
export { cloneJson } from './json/clone-json.ts';
export { JsonError } from './json/json-error.ts';
export { type DecodedJson, decodeJson, decodeScannedJson, parseJson } from './json/parse-json.ts';
export {
  duplicateFieldsMax,
  type JsonScan,
  type JsonScanOptions,
  jsonDepthMax,
  scanJson,
} from './json/scan-json.ts';
export { stringifyJson } from './json/stringify-json.ts';
export {
  type LabelOperator,
  type LabelRequirement,
  LabelSelector,
  labelSelectorFromSet,
  type ParsedLabelSelector,
  parseLabelSelector,
} from './label-selector.ts';
export {
  type DecodedListOptions,
  decodeListOptions,
  type IncludeObject,
  type ListOptions,
  parseIncludeObject,
  parseListOptions,
  type ResourceVersionMatch,
} from './list-options.ts';
export {
  annotationsBytesMax,
  fieldImmutable,
  type ObjectMetaRules,
  validateAnnotations,
  validateFinalizers,
  validateLabels,
  validateManagedFields,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from './metadata-validation.ts';
export {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  type NameValidator,
  qualifiedNameErrors,
  regexError,
  validateDns1035LabelName,
  validateDnsLabelName,
  validateDnsSubdomainName,
  validatePathSegmentName,
} from './names.ts';
export {
  initialEventsEndAnnotation,
  type KubeList,
  type KubeObject,
  type ListMeta,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  type PartialObjectMetadata,
  type PartialObjectMetadataList,
  type Table,
  type TableColumnDefinition,
  type TableRow,
  type TableRowCondition,
  type WatchEventType,
} from './object.ts';
export { decodeObjectMeta } from './object-meta-decoding.ts';
export { applyJsonPatch, JsonPatchError, patchOperationsMax } from './patch/json-patch.ts';
export { mergePatch } from './patch/merge-patch.ts';
export type { PatchSchema } from './patch/patch-schema.ts';
export { strategicMergePatch } from './patch/strategic-merge-patch.ts';
export {
  type StrategicMergePatchAnswer,
  StrategicMergePatchError,
} from './patch/strategic-merge-patch-error.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  subtractQuantities,
} from './quantity.ts';
export {
  booleanParameter,
  integerParameter,
  parseQuery,
  stringParameter,
  timeoutParameterMs,
} from './query.ts';
export {
  compareResourceVersions,
  parseListResourceVersion,
  parseObjectResourceVersion,
  parseResourceVersion,
} from './resource-version.ts';
export {
  type Failure,
  isStatus,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  successStatus,
} from './status.ts';
export { formatMicroTime, formatTime, type ParsedTime, parseMicroTime, parseTime } from './time.ts';
export { readTypeMeta, type TypeMeta, typeMetaFailure } from './type-meta.ts';
export {
  type FieldValidation,
  type GetOptions,
  type PatchOptions,
  parseCreateOptions,
  parseGetOptions,
  parsePatchOptions,
  parseUpdateOptions,
  validateDryRun,
  type WriteOptions,
} from './write-options.ts';
export {
  type DecodedYaml,
  decodeYaml,
  type YamlOptions,
  yamlDepthMax,
} from './yaml/decode-yaml.ts';
export { stringifyYaml } from './yaml/stringify-yaml.ts';
export { YamlError } from './yaml/yaml-error.ts';
