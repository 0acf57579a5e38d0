/** Values of upstream's internal types as its errors print them: with Go's field names, and with every field. */

import type { JSONSchemaProps, ValidationRule } from '@tributary/api/apiextensions-v1';
import { type GoText, goJson, goText } from '@tributary/apimachinery';
import type { InternalVersion } from './internal-spec.ts';

type Member = readonly [name: string, text: string];

export function versionsText(versions: readonly InternalVersion[] | null): GoText {
  return goText(versions === null ? 'null' : list(versions, versionText));
}

function versionText(version: InternalVersion): string {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = version;
  return struct([
    ['Name', goJson(version.name)],
    ['Served', goJson(version.served)],
    ['Storage', goJson(version.storage)],
    ['Deprecated', goJson(version.deprecated)],
    ['DeprecationWarning', goJson(version.deprecationWarning)],
    ['Schema', schema ? struct([['OpenAPIV3Schema', schemaOrNull(schema.openAPIV3Schema)]]) : NULL],
    ['Subresources', subresources ? subresourcesText(subresources) : NULL],
    [
      'AdditionalPrinterColumns',
      additionalPrinterColumns ? list(additionalPrinterColumns, columnText) : NULL,
    ],
    [
      'SelectableFields',
      selectableFields
        ? list(selectableFields, ({ jsonPath }) => struct([['JSONPath', goJson(jsonPath)]]))
        : NULL,
    ],
  ]);
}

const NULL = 'null';

function subresourcesText({ status, scale }: NonNullable<InternalVersion['subresources']>): string {
  return struct([
    ['Status', status ? '{}' : NULL],
    [
      'Scale',
      scale
        ? struct([
            ['SpecReplicasPath', goJson(scale.specReplicasPath)],
            ['StatusReplicasPath', goJson(scale.statusReplicasPath)],
            ['LabelSelectorPath', goJson(scale.labelSelectorPath)],
          ])
        : NULL,
    ],
  ]);
}

type Column = NonNullable<InternalVersion['additionalPrinterColumns']>[number];

function columnText(column: Column): string {
  return struct([
    ['Name', goJson(column.name)],
    ['Type', goJson(column.type)],
    ['Format', goJson(column.format ?? '')],
    ['Description', goJson(column.description ?? '')],
    ['Priority', goJson(column.priority ?? 0)],
    ['JSONPath', goJson(column.jsonPath)],
  ]);
}

/** The fields of a schema in the order of upstream's struct, with their encoders. */
const SCHEMA_FIELDS: readonly (readonly [
  name: string,
  keyword: keyof JSONSchemaProps,
  write: (value: never) => string,
])[] = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', goJson],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', goJson],
  ['Maximum', 'maximum', goJson],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', goJson],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', goJson],
  ['MinLength', 'minLength', goJson],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', goJson],
  ['MinItems', 'minItems', goJson],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', goJson],
  ['Enum', 'enum', goJson],
  ['MaxProperties', 'maxProperties', goJson],
  ['MinProperties', 'minProperties', goJson],
  ['Required', 'required', goJson],
  ['Items', 'items', schemaOrListText],
  ['AllOf', 'allOf', schemasText],
  ['OneOf', 'oneOf', schemasText],
  ['AnyOf', 'anyOf', schemasText],
  ['Not', 'not', schemaOrNull],
  ['Properties', 'properties', schemaMapText],
  ['AdditionalProperties', 'additionalProperties', schemaOrFlagText],
  ['PatternProperties', 'patternProperties', schemaMapText],
  ['Dependencies', 'dependencies', dependenciesText],
  ['AdditionalItems', 'additionalItems', schemaOrFlagText],
  ['Definitions', 'definitions', schemaMapText],
  ['ExternalDocs', 'externalDocs', docsText],
  ['Example', 'example', goJson],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', goJson],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', goJson],
  ['XListType', 'x-kubernetes-list-type', goJson],
  ['XMapType', 'x-kubernetes-map-type', goJson],
  ['XValidations', 'x-kubernetes-validations', rulesText],
];

/** The names of a schema's set fields, in the order of upstream's struct. */
export function schemaFieldNames(schema: JSONSchemaProps): string[] {
  return SCHEMA_FIELDS.filter(([, keyword]) => schema[keyword] !== undefined).map(([name]) => name);
}

export function itemsText(items: JSONSchemaProps['items']): GoText {
  return goText(schemaOrListText(items));
}

export function schemaText(schema: JSONSchemaProps): GoText {
  return goText(schemaOrNull(schema));
}

function schemaOrNull(schema: JSONSchemaProps | undefined): string {
  if (schema === undefined) return NULL;
  return struct(
    SCHEMA_FIELDS.map(([name, keyword, write]) => [name, write(schema[keyword] as never)]),
  );
}

function text(value: string | undefined): string {
  return goJson(value ?? '');
}

function flag(value: boolean | undefined): string {
  return goJson(value ?? false);
}

function schemasText(schemas: readonly JSONSchemaProps[] | undefined): string {
  return schemas === undefined ? NULL : list(schemas, schemaOrNull);
}

function schemaMapText(schemas: Readonly<Record<string, JSONSchemaProps>> | undefined): string {
  return mapText(schemas, schemaOrNull);
}

function schemaOrListText(items: JSONSchemaProps['items']): string {
  if (items === undefined) return NULL;
  const isList = Array.isArray(items);
  return struct([
    ['Schema', isList ? NULL : schemaOrNull(items)],
    ['JSONSchemas', isList ? schemasText(items) : NULL],
  ]);
}

function schemaOrFlagText(value: JSONSchemaProps | boolean | undefined): string {
  if (value === undefined) return NULL;
  const isFlag = typeof value === 'boolean';
  return struct([
    ['Allows', goJson(isFlag ? value : true)],
    ['Schema', isFlag ? NULL : schemaOrNull(value)],
  ]);
}

function dependenciesText(dependencies: JSONSchemaProps['dependencies']): string {
  return mapText(dependencies, (one) =>
    struct([
      ['Schema', Array.isArray(one) ? NULL : schemaOrNull(one)],
      ['Property', Array.isArray(one) ? goJson(one) : NULL],
    ]),
  );
}

function docsText(docs: JSONSchemaProps['externalDocs']): string {
  if (docs === undefined) return NULL;
  return struct([
    ['Description', text(docs.description)],
    ['URL', text(docs.url)],
  ]);
}

function rulesText(rules: readonly ValidationRule[] | undefined): string {
  if (rules === undefined) return NULL;
  return list(rules, (rule) =>
    struct([
      ['Rule', goJson(rule.rule)],
      ['Message', text(rule.message)],
      ['MessageExpression', text(rule.messageExpression)],
      ['Reason', goJson(rule.reason)],
      ['FieldPath', text(rule.fieldPath)],
      ['OptionalOldSelf', goJson(rule.optionalOldSelf)],
    ]),
  );
}

function mapText<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  write: (value: Value) => string,
): string {
  if (values === undefined) return NULL;
  const members = Object.entries(values).map(([name, value]): Member => [name, write(value)]);
  return struct(members);
}

function list<Value>(values: readonly Value[], write: (value: Value) => string): string {
  return `[${values.map(write).join(',')}]`;
}

function struct(members: readonly Member[]): string {
  return `{${members.map(([name, value]) => `${goJson(name)}:${value}`).join(',')}}`;
}
