export { FieldManager, type FieldManagerOptions } from './apply/field-manager.ts';
export { FieldSet } from './apply/field-set.ts';
export type { KindVersions } from './apply/ownership.ts';
export {
  parentManagedFields,
  type ReplicasPaths,
  scaleManagedFields,
} from './apply/scale-ownership.ts';
export { objectType } from './apply/schema-type.ts';
export type { Type as MergeType } from './apply/type.ts';
export { TypedError } from './apply/typed-error.ts';
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
} from './errors/errors.ts';
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
} from './errors/field-error.ts';
export { FieldPath, root } from './errors/field-path.ts';
export {
  type Failure,
  isStatus,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  successStatus,
} from './errors/status.ts';
export { cloneJson } from './json/clone-json.ts';
export { GoTypeError } from './json/go-struct.ts';
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
} from './meta/group-version.ts';
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
} from './meta/object.ts';
export { decodeObjectMeta } from './meta/object-meta-decoding.ts';
export { readTypeMeta, type TypeMeta, typeMetaFailure } from './meta/type-meta.ts';
export {
  type ContinueToken,
  continueAfter,
  decodeContinueToken,
  encodeContinueToken,
} from './options/continue-token.ts';
export {
  type DeleteOptions,
  type DeletionPropagation,
  decodeDeleteOptions,
  type Preconditions,
  parseDeleteOptions,
} from './options/delete-options.ts';
export {
  type DecodedListOptions,
  decodeListOptions,
  type IncludeObject,
  type ListOptions,
  parseIncludeObject,
  parseListOptions,
  type ResourceVersionMatch,
} from './options/list-options.ts';
export {
  booleanParameter,
  integerParameter,
  parseQuery,
  stringParameter,
  timeoutParameterMs,
} from './options/query.ts';
export {
  compareResourceVersions,
  parseListResourceVersion,
  parseObjectResourceVersion,
  parseResourceVersion,
} from './options/resource-version.ts';
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
} from './options/write-options.ts';
export { applyJsonPatch, JsonPatchError, patchOperationsMax } from './patch/json-patch.ts';
export { mergePatch } from './patch/merge-patch.ts';
export type { PatchSchema } from './patch/patch-schema.ts';
export { strategicMergePatch } from './patch/strategic-merge-patch.ts';
export {
  StrategicMergePatchError,
  type StrategicMergePatchErrorKind,
} from './patch/strategic-merge-patch-error.ts';
export {
  escapeFieldValue,
  type FieldRequirement,
  FieldSelector,
  type FieldTranslation,
  type ParsedFieldSelector,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export {
  type LabelOperator,
  type LabelRequirement,
  LabelSelector,
  labelSelectorFromSet,
  type ParsedLabelSelector,
  parseLabelSelector,
} from './selectors/label-selector.ts';
export {
  fieldManagerBytesMax,
  fieldManagerFromUserAgent,
  validateFieldManager,
} from './validation/field-manager-name.ts';
export {
  canonicalIp,
  type EndpointRules,
  upstreamEndpointRules,
  validateCidrForLegacyField,
  validateEndpointIp,
  validateIp,
  validateIpForLegacyField,
  warningsForCidr,
  warningsForIp,
} from './validation/ip.ts';
export {
  familyBits,
  formatIp,
  formatPrefix,
  type IpAddress,
  type IpFamily,
  type IpPrefix,
  parseIp,
  parsePrefix,
} from './validation/ip-address.ts';
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
} from './validation/names.ts';
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
} from './validation/object-meta.ts';
export { formatGoDuration, type GoDuration, parseGoDuration } from './values/go-duration.ts';
export { type GoInteger, parseGoInt64, parseGoUint64 } from './values/go-integer.ts';
export { goQuote, goQuoteRune, isGoPrintable } from './values/go-quote.ts';
export { GoText, goJson, goText, printGoNumber, printGoValue } from './values/go-value.ts';
export { humanAge, humanDuration } from './values/human-duration.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type ParsedQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  subtractQuantities,
} from './values/quantity.ts';
export {
  formatMicroTime,
  formatTime,
  type ParsedTime,
  parseMicroTime,
  parseTime,
} from './values/time.ts';
export {
  type DecodedYaml,
  decodeYaml,
  type YamlOptions,
  yamlDepthMax,
} from './yaml/decode-yaml.ts';
export { stringifyYaml } from './yaml/stringify-yaml.ts';
export { YamlError } from './yaml/yaml-error.ts';
