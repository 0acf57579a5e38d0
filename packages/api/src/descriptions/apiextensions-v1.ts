/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  CustomResourceDefinition:
    'A resource of your own, which the server then serves. It is named plural.group.',
  'CustomResourceDefinition.spec': 'What the resource is called, and its versions and schemas.',
  'CustomResourceDefinition.status': 'Whether and how it is served. A controller writes it.',

  CustomResourceDefinitionSpec: 'What the resource is called, and its versions and schemas.',
  'CustomResourceDefinitionSpec.group':
    'The group, a domain name with a dot: objects are at /apis/group. It cannot be changed.',
  'CustomResourceDefinitionSpec.names': 'What the resource and its kind are called.',
  'CustomResourceDefinitionSpec.scope':
    'Namespaced, or Cluster. It cannot be changed once the resource is served.',
  'CustomResourceDefinitionSpec.versions':
    'The versions. Discovery lists v2 before v1 before v1beta1 before v1alpha1 before other names.',
  'CustomResourceDefinitionSpec.conversion':
    'How objects get from one version to another. Empty: as with the strategy None.',
  'CustomResourceDefinitionSpec.preserveUnknownFields':
    'Must be false. Use x-kubernetes-preserve-unknown-fields in the schema instead.',

  CustomResourceDefinitionStatus: 'Whether and how the resource is served. A controller writes it.',
  'CustomResourceDefinitionStatus.conditions': 'What is known of it, such as Established.',
  'CustomResourceDefinitionStatus.acceptedNames':
    'The names that are in use. Those in spec may be others when somebody else has them.',
  'CustomResourceDefinitionStatus.storedVersions':
    'Versions in which objects may still be stored. They cannot leave spec.versions until they leave this list.',
  'CustomResourceDefinitionStatus.observedGeneration':
    'The generation that the controller has seen.',

  CustomResourceDefinitionCondition: 'One thing that is known of a definition.',
  'CustomResourceDefinitionCondition.type':
    'Established (it is served), NamesAccepted, Terminating, NonStructuralSchema, KubernetesAPIApprovalPolicyConformant or StorageMigrating.',
  'CustomResourceDefinitionCondition.status': 'True, False or Unknown.',
  'CustomResourceDefinitionCondition.lastTransitionTime':
    'When the status last became another one.',
  'CustomResourceDefinitionCondition.reason': 'Why, in one word for programs.',
  'CustomResourceDefinitionCondition.message': 'Why, for people.',
  'CustomResourceDefinitionCondition.observedGeneration': 'The generation that it was found for.',

  CustomResourceDefinitionNames: 'What a resource and its kind are called.',
  'CustomResourceDefinitionNames.plural':
    'The name in paths, in lower case, such as crontabs. It cannot be changed.',
  'CustomResourceDefinitionNames.singular':
    'The name of one, in lower case, such as crontab. The kind in lower case unless it is said.',
  'CustomResourceDefinitionNames.shortNames':
    'Shorter names for kubectl, in lower case, such as ct.',
  'CustomResourceDefinitionNames.kind':
    'The kind of the objects, in CamelCase. It cannot be changed once the resource is served.',
  'CustomResourceDefinitionNames.listKind':
    'The kind of lists of them. The kind with List at its end unless it is said.',
  'CustomResourceDefinitionNames.categories':
    'Groups of resources it belongs to, such as all for kubectl get all.',

  CustomResourceDefinitionVersion: 'One version of a resource.',
  'CustomResourceDefinitionVersion.name': 'Its name, such as v1 or v1beta1.',
  'CustomResourceDefinitionVersion.served': 'Whether it can be used.',
  'CustomResourceDefinitionVersion.storage':
    'Whether objects are stored in it. This is so for exactly one version.',
  'CustomResourceDefinitionVersion.deprecated':
    'Whether users of it are warned. They are not unless it is said.',
  'CustomResourceDefinitionVersion.deprecationWarning':
    'The warning, up to 256 characters. Empty: one that names a newer version. Only with deprecated.',
  'CustomResourceDefinitionVersion.schema':
    'What objects look like: they are checked by it, fields it does not know are dropped, and defaults set. Required.',
  'CustomResourceDefinitionVersion.subresources': 'Whether there are /status and /scale.',
  'CustomResourceDefinitionVersion.additionalPrinterColumns':
    'Columns of kubectl get after the name. Empty: only the age.',
  'CustomResourceDefinitionVersion.selectableFields':
    'Up to 8 fields by which objects can be selected with --field-selector.',

  CustomResourceConversion: 'How objects get from one version to another.',
  'CustomResourceConversion.strategy':
    'None: only apiVersion changes. Webhook: a webhook converts.',
  'CustomResourceConversion.webhook':
    'The webhook that converts. Needed for Webhook, forbidden otherwise.',

  WebhookConversion: 'A webhook that converts objects.',
  'WebhookConversion.clientConfig': 'Where the webhook is, and whom it must prove to be.',
  'WebhookConversion.conversionReviewVersions':
    'Versions of ConversionReview that it reads, the preferred first. One must be v1 or v1beta1.',

  WebhookClientConfig: 'How a webhook is reached. Either a URL or a service.',
  'WebhookClientConfig.url':
    'An https:// address with host, port and path, without user, query or fragment. Not with service.',
  'WebhookClientConfig.service': 'A service of the cluster, reached by TLS. Not with url.',
  'WebhookClientConfig.caBundle':
    'Who must have signed the certificate of the webhook, as PEM. Empty: whom the server trusts anyway.',

  ServiceReference: 'A service that answers for a webhook.',
  'ServiceReference.namespace': 'The namespace of the service.',
  'ServiceReference.name': 'The name of the service.',
  'ServiceReference.path': 'The path that requests are sent to, such as /convert.',
  'ServiceReference.port': 'The port of the service, 443 unless it is said.',

  CustomResourceValidation: 'What objects look like.',
  'CustomResourceValidation.openAPIV3Schema':
    'The schema of whole objects. It must be structural: with a type for every field.',

  CustomResourceSubresources: 'Which subresources objects have.',
  'CustomResourceSubresources.status':
    'Set ({}): status is written only through /status, and the rest only without it.',
  'CustomResourceSubresources.scale':
    'Set: replicas are read and written through /scale, as kubectl scale and autoscalers do.',

  CustomResourceSubresourceStatus: 'That there is /status. It has no fields: {}.',

  CustomResourceSubresourceScale: 'Where an object has what /scale shows.',
  'CustomResourceSubresourceScale.specReplicasPath':
    'Where the wanted number is, below .spec, such as .spec.replicas. /scale fails without a number there.',
  'CustomResourceSubresourceScale.statusReplicasPath':
    'Where the present number is, below .status, such as .status.replicas. Nothing there is 0.',
  'CustomResourceSubresourceScale.labelSelectorPath':
    'Where the selector of its pods is, as text, below .spec or .status. Autoscalers need it.',

  CustomResourceColumnDefinition: 'A column of kubectl get.',
  'CustomResourceColumnDefinition.name': 'What stands above it.',
  'CustomResourceColumnDefinition.type':
    'integer, number, string, boolean, or date, which is shown as an age.',
  'CustomResourceColumnDefinition.format':
    'A hint for programs: int32, int64, float, double, byte, date, date-time or password.',
  'CustomResourceColumnDefinition.description': 'What it shows, for people.',
  'CustomResourceColumnDefinition.priority':
    '0 unless it is said: always shown. Higher: only with -o wide.',
  'CustomResourceColumnDefinition.jsonPath':
    'Where the value is in an object, such as .spec.replicas or .status.items[0].name.',

  SelectableField: 'A field by which objects can be selected.',
  'SelectableField.jsonPath':
    'Where it is, such as .spec.color: a string, boolean or integer, not in a list and not in metadata.',

  JSONSchemaProps:
    'A schema, as JSON Schema and OpenAPI 3.0 have it. Keywords that say "Refused" cannot be used.',
  'JSONSchemaProps.id': 'Refused.',
  'JSONSchemaProps.$schema': 'Refused.',
  'JSONSchemaProps.$ref': 'Refused: schemas are written out.',
  'JSONSchemaProps.description': 'What the value is, for people; kubectl explain shows it.',
  'JSONSchemaProps.type':
    'string, number, integer, boolean, array or object. Required, except with x-kubernetes-int-or-string or -preserve-unknown-fields. Not below allOf, anyOf, oneOf and not.',
  'JSONSchemaProps.format':
    'The form of a string, such as date-time, date, duration, byte, email, hostname, ipv4, ipv6, cidr, uri, uuid, k8s-short-name and k8s-long-name; of a number, int32, int64, float and double. Others are ignored.',
  'JSONSchemaProps.title': 'A name, for people.',
  'JSONSchemaProps.default':
    'The value of a field that is left out, or null where that is not allowed. It must match the schema.',
  'JSONSchemaProps.maximum': 'The largest number.',
  'JSONSchemaProps.exclusiveMaximum': 'Whether maximum itself is too large.',
  'JSONSchemaProps.minimum': 'The smallest number.',
  'JSONSchemaProps.exclusiveMinimum': 'Whether minimum itself is too small.',
  'JSONSchemaProps.maxLength':
    'The most characters of a string. It also makes rules in CEL cheaper.',
  'JSONSchemaProps.minLength': 'The fewest characters of a string.',
  'JSONSchemaProps.pattern':
    'A regular expression (RE2) that a string must match somewhere; ^ and $ bind it to the ends.',
  'JSONSchemaProps.maxItems': 'The most items of an array. It also makes rules in CEL cheaper.',
  'JSONSchemaProps.minItems': 'The fewest items of an array.',
  'JSONSchemaProps.uniqueItems': 'Must not be true. x-kubernetes-list-type: set does it.',
  'JSONSchemaProps.multipleOf': 'A number must be a multiple of this.',
  'JSONSchemaProps.enum': 'The values that are allowed.',
  'JSONSchemaProps.maxProperties':
    'The most entries of an object. It also makes rules in CEL cheaper.',
  'JSONSchemaProps.minProperties': 'The fewest entries of an object.',
  'JSONSchemaProps.required': 'Fields that an object must have.',
  'JSONSchemaProps.items':
    'The schema of the items. Required for an array; one schema, not a list.',
  'JSONSchemaProps.allOf': 'All of these must match as well. They set no type or default.',
  'JSONSchemaProps.oneOf': 'Exactly one of these must match. They set no type or default.',
  'JSONSchemaProps.anyOf': 'At least one of these must match. They set no type or default.',
  'JSONSchemaProps.not': 'This must not match. It sets no type or default.',
  'JSONSchemaProps.properties':
    'The schemas of the fields, by name. Fields that are not here are dropped.',
  'JSONSchemaProps.additionalProperties':
    'The schema of the values, where an object is a map with any keys. Not with properties, and not at the root.',
  'JSONSchemaProps.patternProperties': 'Refused.',
  'JSONSchemaProps.dependencies': 'Refused.',
  'JSONSchemaProps.additionalItems': 'Refused.',
  'JSONSchemaProps.definitions': 'Refused.',
  'JSONSchemaProps.externalDocs': 'Where more is written about it.',
  'JSONSchemaProps.example': 'An example of a value, for people.',
  'JSONSchemaProps.nullable':
    'Whether null is a value. Otherwise it becomes the default, or the field is dropped. Not at the root.',
  'JSONSchemaProps.x-kubernetes-preserve-unknown-fields':
    'true: fields that the schema does not know stay, here and below, as far as no properties are said there.',
  'JSONSchemaProps.x-kubernetes-embedded-resource':
    'true: the value is an object with apiVersion, kind and metadata, which are checked. The type must be object.',
  'JSONSchemaProps.x-kubernetes-int-or-string':
    'true: the value is an integer or a string, such as 80 or "25%". It stands instead of a type.',
  'JSONSchemaProps.x-kubernetes-list-map-keys':
    'Fields that tell the items of a list of type map apart. They are scalars, required or with a default.',
  'JSONSchemaProps.x-kubernetes-list-type':
    'How a list is merged: atomic (unless it is said) as a whole, set by values without doubles, map by keys in the items.',
  'JSONSchemaProps.x-kubernetes-map-type':
    'How an object is merged: granular (unless it is said) field by field, atomic as a whole.',
  'JSONSchemaProps.x-kubernetes-validations': 'Rules in CEL that the value must keep, all of them.',

  ExternalDocumentation: 'Where more is written.',
  'ExternalDocumentation.description': 'What is there.',
  'ExternalDocumentation.url': 'The address.',

  ValidationRule: 'A rule in CEL that a value must keep.',
  'ValidationRule.rule':
    'CEL that must give true. self is the value, oldSelf what it was: with oldSelf, the rule is asked only on updates, unless optionalOldSelf.',
  'ValidationRule.message':
    'What the user is told, in one line. Needed when the rule has several lines. Empty: the rule itself.',
  'ValidationRule.messageExpression':
    'CEL that gives the message as one line, before message. It knows what the rule knows.',
  'ValidationRule.reason':
    'The reason of the error: FieldValueInvalid (unless it is said), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.',
  'ValidationRule.fieldPath':
    'The field that the error names, from here, such as .spec.color. It must exist; no index of a list.',
  'ValidationRule.optionalOldSelf':
    'true: a rule with oldSelf is asked on creation, too; oldSelf is then an optional (hasValue, value).',
});
